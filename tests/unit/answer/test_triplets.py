"""Triplets of a passage: who, does or has what, in its own words, and where they stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.sample_search import sample_index
from libs.contracts.answers import Citation, CitedSpan, Triplet, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from services.answer.triplets import cited_triplets, read_triplets

SENTENCES = {
    "On 14 November 1971 Mariner 9 entered orbit round Mars.": [
        ("Mariner 9", "entered orbit round", "Mars"),
    ],
    "Venera 7 was launched on 17 August 1970 from Baikonur.": [
        ("Venera 7", "was launched on", "17 August 1970"),
    ],
    "Mariner 9 returned 7,329 pictures.": [("Mariner 9", "returned", "7,329 pictures")],
    "The bridge over the Elm was designed by Ada Finch.": [("The bridge over the Elm", "was designed by", "Ada Finch")],
    "The vehicle had a mass of 756 kilograms.": [("The vehicle", "had a mass of", "756 kilograms")],
    "Apollo 13 never landed on the Moon.": [("Apollo 13", "never landed on the", "Moon")],
    "A committee led by Carl Sagan chose the contents in 1977.": [("A committee", "led by", "Carl Sagan")],
    "Saturn was first visited by Pioneer 11 in 1979.": [
        ("Saturn", "was first visited by", "Pioneer 11"),
    ],
}
UNREAD = [
    "It was launched on 3 May 1871.",
    "And the drivers have picked softer ground since 2013.",
    "What a day!",
    "# Mariner 9",
    "",
]


def passage(text: str, name: str = "p") -> Passage:
    return Passage(name, "d", text)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_gives_its_triplets(sentence: str) -> None:
    triplets = [(triplet.subject, triplet.relation, triplet.object) for triplet in read_triplets(passage(sentence))]
    assert triplets == SENTENCES[sentence]


@pytest.mark.parametrize("sentence", UNREAD)
def test_what_cannot_be_read_safely_is_left_out(sentence: str) -> None:
    assert read_triplets(passage(sentence)) == ()


def test_a_span_holds_the_words_from_the_first_to_the_last_exactly() -> None:
    text = "It began well.  Venera 7 was launched on 17 August 1970 from Baikonur, as planned."
    spans = [triplet.span.of(text) for triplet in read_triplets(passage(text))]
    assert spans == [
        "Venera 7 was launched on 17 August 1970",
    ]


def test_what_is_asked_about_leaves_its_sentences_and_puts_those_first_that_tell_more_of_it() -> None:
    text = (
        "Venera 7 was launched on 17 August 1970. Mariner 9 entered orbit round Mars. "
        "Mariner 9 returned 7,329 pictures. The vehicle had a mass of 756 kilograms."
    )
    about = frozenset({"mariner", "pictur"})
    assert [triplet.object for triplet in read_triplets(passage(text), about=about)] == ["7,329 pictures", "Mars"]
    assert [triplet.object for triplet in read_triplets(passage(text), 1, about)] == ["7,329 pictures"]
    assert read_triplets(passage(text), about=frozenset({"bridg"})) == ()
    assert len(read_triplets(passage(text))) == 4


def test_every_triplet_of_the_samples_stands_in_its_span_of_its_passage() -> None:
    triplets = [(triplet, p.text) for p in sample_index().passages for triplet in read_triplets(p)]
    assert len(triplets) > 400
    for triplet, text in triplets:
        span_text = " ".join(triplet.span.of(text).split())
        assert triplet.subject in span_text
        assert triplet.object in span_text
        assert triplet.relation.split()[0] in span_text


@given(st.text(max_size=200))
def test_any_text_gives_spans_within_it(text: str) -> None:
    for triplet in read_triplets(passage(text)):
        assert 0 <= triplet.span.start < triplet.span.end <= len(text)


def test_of_all_triplets_those_are_kept_that_the_standing_sentences_cite() -> None:
    inside, outside, elsewhere = (
        Triplet("a", "b", "c", "p", Span(2, 8)),
        Triplet("a", "b", "d", "p", Span(6, 14)),
        Triplet("a", "b", "e", "q", Span(2, 8)),
    )
    span = CitedSpan(1, "p", Span(0, 10))
    verified_citation = Citation(1, (span,), Verdict.VERIFIED)
    withdrawn_citation = Citation(2, (CitedSpan(1, "p", Span(0, 20)),), Verdict.WITHDRAWN)
    assert cited_triplets([inside, outside, elsewhere, inside], [verified_citation, withdrawn_citation]) == (inside,)
