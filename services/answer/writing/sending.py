"""Sends a draft: first the numbers of the cited passages, then each sentence with its citation.

A model's report that its passages hold no answer (a mark at the beginning, instead of a text), and a sentence that it
writes again, are recognised before. Works in memory: no I/O, nothing is raised.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from libs.contracts.answers import Citation, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.stages.answer import Numbering, WriteStep
from services.answer.citations import cite_computed, cite_quote, cite_translation, renumber, with_markers
from services.answer.drafts import BLOCK, DraftSentence, Paragraph
from services.answer.quoting.dependence import count_words
from services.answer.verification.windows import plain
from services.answer.writing.transcript import Transcript

MARK: Final = "NO ANSWER"
"""As the prompt requests it."""
_AROUND: Final = " \t\n*_`\"'“”‘’([<#-"
"""Characters that models put before it."""


@dataclass(slots=True)
class NoAnswerDetector:
    """Holds back the first words until it is known whether they are the mark."""

    is_mark: bool = False
    _buffer: str | None = ""
    """None once that is known."""

    def read(self, text: str) -> str:
        """Return the part of a further piece that may be read: nothing while the mark is possible, or after it."""
        if self._buffer is None:
            return "" if self.is_mark else text
        self._buffer += text
        words = self._buffer.lstrip(_AROUND)
        if len(words) < len(MARK) and MARK.startswith(words):
            return ""
        return self.finish()

    def finish(self) -> str:
        """Return the text held back, at the end of the text or once it cannot be the mark."""
        buffer, self._buffer = self._buffer or "", None
        self.is_mark = self.is_mark or buffer.lstrip(_AROUND).startswith(MARK)
        return "" if self.is_mark else buffer


MIN_WORDS: Final = 4
"""Least words of a sentence that counts; `See below.` may be repeated (taste)."""
MOST: Final = 3
"""Consecutive repeated sentences after which nothing new is expected (taste)."""


@dataclass(slots=True)
class Repeats:
    """The sentences written so far, including withdrawn ones."""

    _sentences: set[str] = field(default_factory=set)
    _in_a_row: int = 0

    def is_repeat(self, sentence: str) -> bool:
        """Whether a sentence was written before; records it."""
        words = plain(sentence)
        if count_words(words) < MIN_WORDS:
            return False
        repeated = words in self._sentences
        self._sentences.add(words)
        self._in_a_row = self._in_a_row + 1 if repeated else 0
        return repeated

    @property
    def goes_round(self) -> bool:
        """Whether the model loops, so that reading should stop."""
        return self._in_a_row >= MOST


def repeat_citation(number: int) -> Citation:
    """Return the verdict on a repeated sentence."""
    return Citation(number, (), Verdict.WITHDRAWN, 0.0, "It was said before.", replacement="")


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
        if sentence.is_translated:
            return cite_translation(transcript.sentence, quotation, number)
        return cite_quote(transcript.sentence, sentence.text, quotation, number, sentence.answers)
    if sentence.computed is None:
        return None
    citation = cite_computed(transcript.sentence, sentence.computed, passages)
    return renumber(citation, passages, transcript.numbers) if citation else None


def _with_markers(sentence: DraftSentence, citation: Citation | None, transcript: Transcript) -> str:
    """The sentence with its markers; a quotation's marker is on the heading above it."""
    if sentence.headed_passage is not None:
        return with_markers(f"{sentence.text} ", [transcript.numbers.number_of(sentence.headed_passage)])
    if citation is None or sentence.quotation is not None:
        return sentence.text + sentence.note
    return with_markers(sentence.text, [span.number for span in citation.references])
