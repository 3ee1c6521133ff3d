"""Denials put in or left out among the same words, opposites that are denied, and other things of the same kind."""

import pytest

from libs.contracts.answers import Verdict
from libs.contracts.evidence import Passage
from services.answer.verification.claims import read_claims
from services.answer.verification.contraries import excluded_word
from services.answer.verification.verify import Checker
from services.answer.verification.windows import WindowSource

HARBOUR = (
    "If you have received a berth card, you may moor at the northern quay overnight. "
    "The old lighthouse survived the storm of 1953. "
    "Nobody has yet repaired the stairs of the eastern tower. "
    "The quay wall was built of granite by local masons."
)


def verdict(sentence: str, text: str = HARBOUR) -> Verdict:
    return Checker([WindowSource(Passage("p", "d", text, title="The harbour"))]).check(sentence).verdict


@pytest.mark.parametrize(
    ("sentence", "is_withdrawn"),
    [
        ("If you have not received a berth card, you may moor at the northern quay overnight.", True),
        ("The old lighthouse was destroyed by the storm of 1953.", True),
        ("The old lighthouse did not survive the storm of 1953.", True),
        ("Masons from the place made the quay wall of basalt.", True),
        ("You may moor at the northern quay overnight if you have received a berth card.", False),
        ("The old lighthouse survived the storm of 1953.", False),
        ("The old lighthouse was not destroyed by the storm of 1953.", False),
        ("Local masons built the quay wall from granite.", False),
    ],
)
def test_what_is_turned_round_is_withdrawn_but_not_other_words(sentence: str, is_withdrawn: bool) -> None:
    assert (verdict(sentence) is Verdict.WITHDRAWN) is is_withdrawn


def excluded(claim_text: str, evidence_text: str) -> str | None:
    claim, evidence = read_claims(claim_text, language="en"), read_claims(evidence_text, language="en")
    return excluded_word(claim, evidence)


@pytest.mark.parametrize(
    ("sentence", "other", "against"),
    [
        ("The vase is intact.", "The vase was destroyed.", True),
        ("The vase wasn't destroyed.", "The vase is intact.", False),
        ("The vase is intact.", "The vase is intact; the bowl was destroyed.", False),
        ("The vase is old.", "The vase was destroyed.", False),
        ("The vase is made of basalt.", "The vase was made of granite.", True),
        ("The vase is not made of basalt.", "The vase was made of granite.", False),
        ("The vase stood for days.", "The vase stood for months.", True),
    ],
)
def test_one_side_speaks_against_the_other(sentence: str, other: str, against: bool) -> None:
    assert (excluded(sentence, other) is not None) is against
    assert not against or excluded(other, sentence) is not None
