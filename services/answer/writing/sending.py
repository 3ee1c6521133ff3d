"""Sends a draft: first the numbers of the cited passages, then each sentence with its citation."""

from collections.abc import Iterator, Mapping, Sequence

from libs.contracts.answers import Citation
from libs.contracts.evidence import Passage
from libs.contracts.stages.answer import Numbering, WriteStep
from services.answer.citations import cite_computed, cite_quote, renumber, with_markers
from services.answer.drafts import BLOCK, DraftSentence, Paragraph
from services.answer.writing.transcript import Transcript


def send(
    paragraphs: Sequence[Paragraph], transcript: Transcript, passages: Mapping[str, Passage]
) -> Iterator[WriteStep]:
    """Yield the numbers of all cited passages, then the draft's text and citations, and add them to the transcript.

    Args:
        paragraphs: the draft.
        transcript: the answer so far.
        passages: of the references, by id.
    """
    if numbering := _number_all(paragraphs, transcript, passages):
        yield numbering
    for paragraph in paragraphs:
        for position, sentence in enumerate(paragraph):
            transcript.begin(sentence.gap if position else BLOCK)
            yield from _send_sentence(sentence, transcript, passages)


def _number_all(
    paragraphs: Sequence[Paragraph], transcript: Transcript, passages: Mapping[str, Passage]
) -> Numbering | None:
    """The numbers of all cited passages, including sentences not sent yet; None if there are none.

    Numbers follow the order of the text, so they can be sent before it.
    """
    for sentence in (sentence for paragraph in paragraphs for sentence in paragraph):
        for passage in _cited_passages(sentence, passages):
            transcript.numbers.number_of(passage)
    numbering = transcript.numbers.numbering
    return numbering if numbering.passages else None


def _cited_passages(sentence: DraftSentence, passages: Mapping[str, Passage]) -> Iterator[Passage]:
    if sentence.headed_passage is not None:
        yield sentence.headed_passage
    if sentence.quotation is not None:
        yield sentence.quotation.passage
    if sentence.computed is not None:
        yield from (passages[span.passage_id] for span in sentence.computed.sources if span.passage_id in passages)


def _send_sentence(
    sentence: DraftSentence, transcript: Transcript, passages: Mapping[str, Passage]
) -> Iterator[WriteStep]:
    citation = _citation(sentence, transcript, passages)
    text = _with_markers(sentence, citation, transcript)
    yield transcript.delta(text)
    transcript.end(text, citation)
    if citation is not None:
        yield citation


def _citation(sentence: DraftSentence, transcript: Transcript, passages: Mapping[str, Passage]) -> Citation | None:
    if quotation := sentence.quotation:
        number = transcript.numbers.number_of(quotation.passage)
        return cite_quote(transcript.sentence, sentence.text, quotation, number)
    if sentence.computed is None:
        return None
    citation = cite_computed(transcript.sentence, sentence.computed, passages)
    return renumber(citation, passages, transcript.numbers) if citation else None


def _with_markers(sentence: DraftSentence, citation: Citation | None, transcript: Transcript) -> str:
    """The sentence with its markers; a quotation's marker is on the heading above it."""
    if sentence.headed_passage is not None:
        return with_markers(f"{sentence.text} ", [transcript.numbers.number_of(sentence.headed_passage)])
    if citation is None or sentence.quotation is not None:
        return sentence.text
    return with_markers(sentence.text, [span.number for span in citation.references])
