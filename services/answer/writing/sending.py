"""Sends a draft: first the numbers of the cited passages, then each sentence with its citation. Works in memory."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from libs.contracts.answers import Citation
from libs.contracts.evidence import Passage
from libs.contracts.stages.answer import WriteStep
from services.answer.citing.citations import cite_computed, cite_quote, renumber, with_markers
from services.answer.citing.drafts import BLOCK, LINE, DraftSentence, Paragraph
from services.answer.writing.transcript import Transcript

_NO_PLACE: Final = ("|", "```", "~~~", ":", "：", ":**", "：**")


def send(
    paragraphs: Sequence[Paragraph], transcript: Transcript, passages: Mapping[str, Passage]
) -> Iterator[WriteStep]:
    """Yield the numbers of all cited passages, then the draft's text and citations, and add them to the transcript.

    Numbers follow the order of the text, so they can be sent before it.

    Args:
        paragraphs: the draft.
        transcript: the answer so far.
        passages: of the references, by id.
    """
    for sentence in chain.from_iterable(paragraphs):
        for passage in _cited_passages(sentence, passages):
            transcript.numbers.number_of(passage)
    numbering = transcript.numbers.numbering
    if numbering.passages:
        yield numbering
    for paragraph in paragraphs:
        for position, sentence in enumerate(paragraph):
            transcript.begin(sentence.gap if position else BLOCK)
            following = paragraph[position + 1] if position + 1 < len(paragraph) else None
            is_last = following is None or following.gap in (LINE, BLOCK)
            yield from _send_sentence(sentence, transcript, passages, is_last)


def _cited_passages(sentence: DraftSentence, passages: Mapping[str, Passage]) -> Iterator[Passage]:
    if sentence.headed_passage is not None:
        yield sentence.headed_passage
    if sentence.quotation is not None:
        yield sentence.quotation.passage
    if sentence.computed is not None:
        yield from (passages[span.passage_id] for span in sentence.computed.sources if span.passage_id in passages)


def _send_sentence(
    sentence: DraftSentence, transcript: Transcript, passages: Mapping[str, Passage], is_last: bool
) -> Iterator[WriteStep]:
    citation = _citation(sentence, transcript, passages)
    yield transcript.delta(_with_markers(sentence, citation, transcript, is_last))
    transcript.end(citation)
    if citation is not None:
        yield citation


def _citation(sentence: DraftSentence, transcript: Transcript, passages: Mapping[str, Passage]) -> Citation | None:
    if quotation := sentence.quotation:
        number = transcript.numbers.number_of(quotation.passage)
        return cite_quote(transcript.sentence, sentence, quotation, number)
    if sentence.computed is None:
        return None
    citation = cite_computed(transcript.sentence, sentence.computed, passages)
    return renumber(citation, passages, transcript.numbers) if citation else None


def _with_markers(sentence: DraftSentence, citation: Citation | None, transcript: Transcript, is_last: bool) -> str:
    """The sentence with its markers; of quotations that follow one another in a line, the last one has them.

    A row of a table and code have no place for a marker, and what announces a list needs none: their heading has it.
    """
    if sentence.headed_passage is not None:
        return with_markers(f"{sentence.text} ", [transcript.numbers.number_of(sentence.headed_passage)])
    has_place = not sentence.text.endswith(_NO_PLACE)
    if citation is None or (sentence.quotation is not None and not (is_last and has_place)):
        return sentence.text + sentence.note
    return with_markers(sentence.text, [span.number for span in citation.references]) + sentence.note
