"""Markers, and the words behind them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.answers import CitedSpan, Verdict
from libs.contracts.spans import Span
from libs.text.sentences import split_sentences
from services.answer.citing.citations import (
    SectionNumbers,
    cite_computed,
    cite_quote,
    renumber,
    stands_in,
    with_markers,
    without_markers,
)
from services.answer.citing.drafts import DraftSentence, Quotation
from services.answer.subquestions import ComputedAnswer
from tests.unit.answer.evidence_making import passage, reference


@pytest.mark.parametrize(
    ("text", "plain", "numbers"),
    [
        ("It landed in 1969.[2]", "It landed in 1969.", (2,)),
        ("It landed in 1969 [2].", "It landed in 1969.", (2,)),
        ("It landed [1], and left [2, 3].", "It landed, and left.", (1, 2, 3)),
        ("It landed in 1969. [2][2]", "It landed in 1969.", (2,)),
        ("No marker [sic] here.", "No marker [sic] here.", ()),
        ("It keeps `values[2]`. [1]", "It keeps `values[2]`.", (1,)),
    ],
)
def test_markers_are_found_wherever_they_stand(text: str, plain: str, numbers: tuple[int, ...]) -> None:
    assert without_markers(text) == (plain, numbers)


@given(st.lists(st.integers(1, 999), unique=True, max_size=5))
def test_what_was_marked_can_be_unmarked(numbers: list[int]) -> None:
    assert without_markers(with_markers("It landed.", numbers)) == ("It landed.", tuple(numbers))


def test_a_marker_stays_with_its_sentence() -> None:
    text = f"{with_markers('It landed.', [1, 2])} {with_markers('It left.', [3])}"
    assert [sentence.text for sentence in split_sentences(text, language="en")] == ["It landed.[1][2]", "It left.[3]"]


def test_a_quote_that_stands_in_its_passage_is_verified_with_its_exact_place() -> None:
    quotation = Quotation(reference(4, "\nThe probe\nstruck the Moon."), Span(1, 27))
    citation = cite_quote(7, DraftSentence("**The probe struck the Moon.**"), quotation, 2)
    (span,) = citation.references
    assert (citation.sentence, citation.verdict, span.number) == (7, Verdict.VERIFIED, 2)
    assert span.span.of(quotation.passage.text) == span.quote == "The probe\nstruck the Moon."


def test_a_quote_at_the_wrong_place_is_withdrawn() -> None:
    quotation = Quotation(reference(1, "The probe struck the Moon."), Span(0, 9))
    citation = cite_quote(1, DraftSentence("The probe struck the Moon."), quotation, 1)
    assert (citation.verdict, citation.replacement) == (Verdict.WITHDRAWN, "")


def test_a_computed_sentence_cites_the_words_that_its_values_were_taken_from_and_says_that_it_was_computed() -> None:
    launch, landing = passage("Launched on 1 May 1970.", "a"), passage("Landed on 3 May 1970.", "b")
    sources = (CitedSpan(1, "a#0", Span(12, 22), "1 May 1970"), CitedSpan(2, "b#0", Span(10, 20), "3 May 1970"))
    citation = cite_computed(
        3, ComputedAnswer("2 days", "date_difference", sources=sources), {"a#0": launch, "b#0": landing}
    )
    assert citation is not None
    assert (citation.sentence, citation.verdict, citation.references) == (3, Verdict.VERIFIED, sources)
    assert citation.reason == "Computed from the cited words (date_difference)."


def test_what_is_left_out_of_a_quote_is_no_change_of_its_words_but_another_order_is() -> None:
    assert stands_in("- name: Ada; … year: 1843", "name: Ada; place: London; year: 1843")
    assert not stands_in("The Moon struck the probe.", "The probe struck the Moon.")


def test_a_computed_citation_is_numbered_by_the_sections_of_its_passages() -> None:
    launch, landing = passage("Launched on 1 May 1970.", "a"), passage("Landed on 3 May 1970.", "b")
    sources = (CitedSpan(7, "a#0", Span(12, 22), "1 May 1970"), CitedSpan(9, "b#0", Span(10, 20), "3 May 1970"))
    passages = {"a#0": launch, "b#0": landing}
    citation = cite_computed(1, ComputedAnswer("2 days", "date_difference", sources=sources), passages)
    assert citation is not None
    assert [span.number for span in renumber(citation, passages, SectionNumbers()).references] == [1, 2]


def test_words_that_do_not_stand_in_their_passage_are_not_cited_for_what_was_computed_from_them() -> None:
    wrong = (CitedSpan(1, "a#0", Span(0, 4), "1970"), CitedSpan(9, "c#0", Span(0, 4), "1970"))
    computed_answer = ComputedAnswer("2 days", "date_difference", sources=wrong)
    assert cite_computed(1, computed_answer, {"a#0": passage("Launched on 1 May 1970.", "a")}) is None
