"""What neighbouring sentences tell is not put together into something that nobody said."""

import pytest

from libs.contracts.evidence import Passage
from services.answer.writing.checks.clauses import stands_apart

PASSAGES = [
    Passage(
        "p",
        "d",
        "Venera 14 followed on 4 November 1981. It landed on 5 March 1982 and survived 57 minutes. "
        "Venera 14 found a basalt similar to that of the ocean floors on Earth.",
        title="Venera 13 and Venera 14",
    )
]


@pytest.mark.parametrize(
    "sentence",
    [
        "Venera 14 landed on 5 March 1982.",
        "Venera 14 survived 57 minutes.",
        "Venera 14 landed in March 1982 and survived for 57 minutes.",
        "On 5 March 1982 Venera 14 landed, and it found a basalt.",
        "The survival of Venera 14 lasted 57 minutes.",
    ],
)
def test_what_single_sentences_tell_stands(sentence: str) -> None:
    assert stands_apart(sentence, PASSAGES, language="en") is None


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("Venera 14 landed on 4 November 1981.", "Venera 14 landed on 4 November 1981."),
        ("Venera 14 found a basalt and survived 4 November 1981.", " and survived 4 November 1981."),
        ("Venera 14 found a basalt on 5 March 1982.", "Venera 14 found a basalt on 5 March 1982."),
        ("Venera 14 stands for Venera 14 at Venus.", "Venera 14 stands for Venera 14 at Venus."),
    ],
)
def test_what_is_put_together_stands_apart(sentence: str, clause: str) -> None:
    assert stands_apart(sentence, PASSAGES, language="en") == clause


def test_nothing_is_told_by_no_passage() -> None:
    assert stands_apart("Venera 14 landed.", [], language="en") == "Venera 14 landed."
    assert stands_apart("", [], language="en") is None
