"""Markers, and the words behind them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.answer.citations import cite_quote, marked, unmarked
from services.answer.sentences import read_sentences
from services.text.sentences import split_sentences
from services.vocabulary.answers import Verdict
from services.vocabulary.spans import Span
from tests.unit.answer.evidence_making import reference


@pytest.mark.parametrize(
    ("text", "plain", "numbers"),
    [
        ("It landed in 1969.[2]", "It landed in 1969.", (2,)),
        ("It landed in 1969 [2].", "It landed in 1969.", (2,)),
        ("It landed [1], and left [2, 3].", "It landed, and left.", (1, 2, 3)),
        ("It landed in 1969. [2][2]", "It landed in 1969.", (2,)),
        ("No marker [sic] here.", "No marker [sic] here.", ()),
    ],
)
def test_markers_are_found_wherever_they_stand(text: str, plain: str, numbers: tuple[int, ...]) -> None:
    assert unmarked(text) == (plain, numbers)


@given(st.lists(st.integers(1, 999), unique=True, max_size=5))
def test_what_was_marked_can_be_unmarked(numbers: list[int]) -> None:
    assert unmarked(marked("It landed.", numbers)) == ("It landed.", tuple(numbers))


def test_a_marker_stays_with_its_sentence() -> None:
    text = f"{marked('It landed.', [1, 2])} {marked('It left.', [3])}"
    assert [sentence.text for sentence in split_sentences(text)] == ["It landed.[1][2]", "It left.[3]"]


def test_a_quote_that_stands_in_its_passage_is_verified_with_its_exact_place() -> None:
    (sentence,) = read_sentences([reference(4, "\nThe probe\nstruck the Moon.")])
    citation = cite_quote(7, sentence)
    (cited,) = citation.references
    assert (citation.sentence, citation.verdict, cited.number) == (7, Verdict.VERIFIED, 4)
    assert cited.span.of(sentence.passage.text) == cited.quote == "The probe\nstruck the Moon."


def test_a_quote_at_the_wrong_place_is_withdrawn() -> None:
    (sentence,) = read_sentences([reference(1, "The probe struck the Moon.")])
    citation = cite_quote(1, replace(sentence, span=Span(0, 9)))
    assert (citation.verdict, citation.replacement) == (Verdict.WITHDRAWN, "")
