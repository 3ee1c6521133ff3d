"""Passages of a document put together again, so that each sentence is there once, whole, and can be cited."""

from hypothesis import given
from hypothesis import strategies as st

from bench.passage_cutting import passages_of
from libs.contracts.evidence import Evidence, NearDuplicate
from libs.contracts.spans import Span
from services.timeline.reading.merged_passages import merge_passages
from tests.unit.timeline.evidence_making import evidence, passage

TEXT = "Luna 9 landed in 1966. It was the first soft landing. Surveyor 1 followed in June 1966."


def sentences(*evidence_items: Evidence) -> list[str]:
    return [
        sentence.text
        for merged_passages in merge_passages(evidence_items)
        for merged_passage in merged_passages
        for sentence in merged_passage.sentences
    ]


def slice_of(start: int, end: int) -> Evidence:
    return Evidence(passage(TEXT[start:end], start=start))


def test_a_sentence_in_two_overlapping_passages_is_there_once() -> None:
    assert sentences(slice_of(0, 53), slice_of(23, len(TEXT))) == [
        "Luna 9 landed in 1966.",
        "It was the first soft landing.",
        "Surveyor 1 followed in June 1966.",
    ]


def test_passages_that_follow_each_other_are_one_stretch_whatever_their_ranking() -> None:
    assert len(merge_passages([slice_of(54, len(TEXT)), slice_of(0, 53)])[0]) == 1


def test_a_sentence_that_no_passage_holds_whole_is_whole_again() -> None:
    assert "It was the first soft landing." in sentences(slice_of(0, 40), slice_of(30, len(TEXT)))


def test_what_is_cut_off_at_either_end_is_left_out() -> None:
    assert sentences(slice_of(30, 70)) == []
    assert sentences(slice_of(0, 40)) == ["Luna 9 landed in 1966."]


def test_the_last_item_of_a_list_needs_no_full_stop() -> None:
    assert sentences(Evidence(passage("- 1966: Luna 9 lands\n- 1969: Apollo 11 lands"))) == [
        "1966: Luna 9 lands",
        "1969: Apollo 11 lands",
    ]


def test_passages_that_contradict_each_other_are_kept_apart() -> None:
    other = Evidence(passage("Something else stands here now, since the document was changed.", start=23))
    assert len(merge_passages([slice_of(0, 53), other])[0]) == 2


def test_documents_come_in_the_order_of_their_best_passage_and_near_duplicates_are_read_too() -> None:
    duplicate = NearDuplicate(passage("Luna 9 came down in 1966.", "other"), 0.95)
    documents = merge_passages(
        [Evidence(passage("First.", "first"), rank=1, near_duplicates=(duplicate,)), slice_of(0, 22)]
    )
    assert [merged_passages[0].passage.document_id for merged_passages in documents] == ["first", "other", "d"]


def test_a_citation_shows_the_words_in_the_passage_that_shows_most_of_the_sentence() -> None:
    ((merged_passage,),) = merge_passages([slice_of(0, 40), slice_of(12, len(TEXT))])
    sentence = merged_passage.sentences[0]
    year = merged_passage.text.index("1966")
    citation = merged_passage.cite(Span(sentence.start, sentence.end), Span(year, year + 4))
    assert citation is not None
    assert citation[1].passage_id == "d:0"
    assert citation[1].quote == "Luna 9 landed in 1966."


def test_of_passages_that_show_a_sentence_equally_well_the_better_ranked_is_cited() -> None:
    first, second = passage(TEXT, start=0), passage(TEXT[23:], start=23)
    ((merged_passage,),) = merge_passages(evidence(second, first))
    sentence = merged_passage.sentences[-1]
    citation = merged_passage.cite(Span(sentence.start, sentence.end), Span(sentence.end - 5, sentence.end - 1))
    assert citation is not None
    assert citation[1].passage_id == "d:23"


@given(st.lists(st.sampled_from(TEXT.split(". ")), min_size=1, max_size=12), st.randoms())
def test_a_document_in_passages_has_the_same_sentences_as_one_in_one(parts: list[str], order: st.DataObject) -> None:
    text = "".join(part.rstrip(".") + ". " for part in parts)
    pieces = [Evidence(piece) for piece in passages_of("d", text, size=100)]
    order.shuffle(pieces)  # type: ignore[attr-defined]
    assert sentences(*pieces) == sentences(Evidence(passage(text)))
