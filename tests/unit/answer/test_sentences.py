"""The whole sentences of the evidence."""

from hypothesis import given
from hypothesis import strategies as st

from bench.passage_cutting import passages_of
from libs.contracts.evidence import Evidence, Reference
from libs.text.tokens import content_stems
from services.answer.lexicon.words import irregular_stems, stems_of
from services.answer.sentences import read_sentences
from tests.unit.answer.evidence_making import reference

TEXT = "Luna 2 left in 1959. It struck the Moon near the crater Archimedes. The signal stopped."


def test_a_sentence_cut_at_the_edge_of_its_passage_is_left_out() -> None:
    fragment = reference(1, "crater Archimedes. The signal stopped. Half an hour later the", start=40)
    assert [s.text for s in read_sentences([fragment])] == ["The signal stopped."]


def test_passages_that_overlap_are_read_as_one_text_and_each_sentence_once() -> None:
    references = [reference(1, TEXT[:45], "luna-2"), reference(2, TEXT[21:], "luna-2", start=21)]
    sentences = read_sentences(references)
    assert [(s.text, s.reference.number) for s in sentences] == [
        ("Luna 2 left in 1959.", 1),
        ("It struck the Moon near the crater Archimedes.", 2),
        ("The signal stopped.", 2),
    ]
    assert sentences[1].before == ("Luna 2 left in 1959.",)


def test_passages_that_claim_to_touch_and_differ_are_not_laid_together() -> None:
    references = [reference(1, TEXT, "luna-2"), reference(2, "Other words. Stand here.", "luna-2", start=21)]
    assert "Stand here." in [s.text for s in read_sentences(references)]


def test_headings_are_no_sentences() -> None:
    assert [s.text for s in read_sentences([reference(1, "# What Luna 2 did.\n\nIt struck the Moon.")])] == [
        "It struck the Moon."
    ]


def test_lines_count_where_nothing_ends_with_a_stop() -> None:
    notes = reference(1, "- Paris is the capital of France\n- Bern of Switzerland")
    assert [s.text for s in read_sentences([notes])] == ["Paris is the capital of France", "Bern of Switzerland"]


def test_a_wrapped_sentence_reads_in_one_line_and_its_quote_keeps_the_break() -> None:
    (sentence,) = read_sentences([reference(1, "The probe\nstruck the Moon.")])
    assert (sentence.text, sentence.quote) == ("The probe struck the Moon.", "The probe\nstruck the Moon.")


@given(
    st.lists(st.sampled_from(["Luna 2 fell.", "It was a long way from Earth to the Moon!", "Why?", "\n\n"]), min_size=1)
)
def test_every_quote_stands_at_its_span_however_the_document_is_cut(pieces: list[str]) -> None:
    text = " ".join(pieces)
    references = [Reference(n, Evidence(piece)) for n, piece in enumerate(passages_of("d", text, size=100), start=1)]
    for sentence in read_sentences(references):
        assert sentence.passage.text[sentence.span.start : sentence.span.end] == sentence.quote
        assert " ".join(sentence.quote.split()) == sentence.text


@given(st.text())
def test_remembered_stems_are_the_same_as_read_ones_but_for_irregular_verbs(text: str) -> None:
    bases = irregular_stems(language="en")
    assert list(stems_of(text, language="en")) == [bases.get(stem, stem) for stem in content_stems(text, language="en")]


def test_an_irregular_form_is_its_verb() -> None:
    assert stems_of("It had driven far and flown high.", language="en") == stems_of(
        "It drives far and flies high.", language="en"
    )
