"""What claims nothing by itself is judged with what follows it."""

import pytest

from libs.contracts.answers import Citation, CitedSpan, Verdict
from services.answer.citing.citations import withdrawn
from services.answer.lexicon.words import stems_of
from services.answer.writing.checks.dependent_sentences import (
    BY_NEXT,
    CONTRARY,
    NO_GROUND,
    depends_on_next,
    judge_by_next,
)

QUESTION = "Are dogs allowed in the park?"
ASKED = frozenset(stems_of(QUESTION, "en"))
GROUND = Citation(2, (CitedSpan(1, "park#0"),), Verdict.VERIFIED, 0.9, "borne out")


@pytest.mark.parametrize(
    ("sentence", "waits"),
    [
        ("Yes.", True),
        ("No.", True),
        ("Yes, they are.", True),
        ("Yes, dogs are allowed.", True),
        ("是的。", True),
        ("The steps are:", True),
        ("So:", True),
        ("Dogs are allowed.", False),
        ("Yes, but only on a lead.", False),
        ("No dogs after 8 pm.", False),
        ("Nothing is allowed.", False),
        ("In 1999:", False),
    ],
)
def test_what_claims_nothing_waits_for_what_follows(sentence: str, waits: bool) -> None:
    assert depends_on_next(sentence, ASKED, language="en") is waits


@pytest.mark.parametrize(
    ("answer", "ground", "verdict", "reason"),
    [
        ("Yes.", "Dogs are allowed in the park.", Verdict.VERIFIED, BY_NEXT),
        ("No.", "Dogs are not allowed in the park.", Verdict.VERIFIED, BY_NEXT),
        ("The rules are:", "Dogs are allowed in the park.", Verdict.VERIFIED, BY_NEXT),
        ("No.", "Dogs are allowed in the park.", Verdict.WITHDRAWN, CONTRARY),
        ("Yes.", "Dogs are not allowed in the park.", Verdict.WITHDRAWN, CONTRARY),
    ],
)
def test_a_short_answer_must_agree_with_its_ground(answer: str, ground: str, verdict: Verdict, reason: str) -> None:
    citation = judge_by_next(1, answer, QUESTION, ground, GROUND, language="en")
    assert (citation.sentence, citation.verdict, citation.reason) == (1, verdict, reason)


def test_whether_another_sentence_answers_so_is_not_found_out() -> None:
    citation = judge_by_next(1, "Yes.", QUESTION, "The gate opens at eight.", GROUND, language="en")
    assert citation.verdict is Verdict.WEAK
    assert citation.references == GROUND.references


def test_without_a_ground_it_is_taken_back() -> None:
    assert (withdrawn(3, NO_GROUND).verdict, withdrawn(3, NO_GROUND).replacement) == (Verdict.WITHDRAWN, "")
