"""Where in the words of a clause something is said to have happened."""

import pytest

from services.timeline.clauses import begins_with_verb, subject_of


@pytest.mark.parametrize("words", ["was later charged", "landed on Mars", "later drove into it", "leaving five dead"])
def test_a_clause_without_a_subject_begins_with_a_verb(words: str) -> None:
    assert begins_with_verb(words, language="en")


@pytest.mark.parametrize("words", ["the crew landed", "Viking landed", "Boeing closed", "in May", ""])
def test_a_clause_with_one_does_not(words: str) -> None:
    assert not begins_with_verb(words, language="en")


@pytest.mark.parametrize(
    ("clause", "subject"),
    [
        ("Luna 17 was launched", "Luna 17"),
        ("On 5 May 1990 the probe was launched", "the probe"),
        ("In Rome, the ministers met and signed", "the ministers"),
        ("The newly elected mayor resigned", "The newly elected mayor"),
        ("The mayor later resigned", "The mayor"),
        ("was launched in May", ""),
        ("no verb here", ""),
        ("the long list " + "of names " * 12 + "was read", ""),
    ],
)
def test_the_subject_stands_before_the_first_verb(clause: str, subject: str) -> None:
    assert subject_of(clause, ["5 May 1990"], language="en") == subject
