"""Records an answer in memory as it is written: numbers its paragraphs and sentences, keeps the text that remains.

A draft is sent whole: first the numbers of the cited passages, then each sentence with its citation.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import Final

from libs.contracts.answers import Citation, CitedSpan, TextDelta, Verdict
from libs.contracts.evidence import Passage
from libs.contracts.stages.answer import WriteStep
from libs.contracts.usage import Usage
from libs.language.characters import without_unseen
from services.answer.citing.citations import SectionNumbers, cite_computed, cite_quote, renumber, with_markers
from services.answer.citing.drafts import BLOCK, LINE, DraftSentence, Paragraph
from services.answer.citing.locations import below

_STRONG: Final = "**"
_NO_PLACE: Final = ("|", "```", "~~~", ":", "：", ":**", "：**")


@dataclass(slots=True)
class _SentenceRecord:
    paragraph: int
    gap: str
    text: str = ""
    citation: Citation | None = None

    @property
    def final_text(self) -> str:
        replacement = self.citation.replacement if self.citation else None
        return self.text if replacement is None else replacement


@dataclass(slots=True)
class Transcript:
    """Paragraphs (separated by empty lines) and sentences are numbered from 1, sentences across the whole answer.

    All deltas together are the streamed text; a sentence's first delta begins with the separator from the previous one.
    """

    is_open: bool = False
    unanswered: bool = False
    """Whether a language model read the evidence and found no answer in it."""
    wanted_search: str = ""
    """What this model asks to search for instead."""
    follow_ups: tuple[str, ...] = ()
    usage: Usage | None = None
    numbers: SectionNumbers = field(default_factory=SectionNumbers)
    _records: list[_SentenceRecord] = field(default_factory=list)

    @property
    def sentence(self) -> int:
        """The number of the current sentence."""
        return len(self._records)

    def begin(self, gap: str) -> None:
        """Begin a new sentence; `gap` separates it from the previous one."""
        latest = self._records[-1].paragraph if self._records else 0
        is_new_paragraph = not self._records or gap == BLOCK
        self._records.append(_SentenceRecord(latest + is_new_paragraph, gap))
        self.is_open = True

    def delta(self, text: str) -> TextDelta:
        """Add a piece to the current sentence, without characters that nobody sees."""
        record, text = self._records[-1], without_unseen(text)
        gap = "" if record.text or self.sentence == 1 else record.gap
        record.text += text
        return TextDelta(record.paragraph, self.sentence, gap + text)

    def end(self, citation: Citation | None = None) -> None:
        """End the sentence with its verdict; None if it is not checked, or not yet."""
        self.is_open = False
        if citation is not None:
            self.settle(citation)

    def settle(self, citation: Citation) -> None:
        """Record the verdict on a sentence."""
        self._records[citation.sentence - 1].citation = citation

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of all checked sentences."""
        return tuple(record.citation for record in self._records if record.citation)

    @property
    def has_support(self) -> bool:
        """Whether any checked sentence stands, or a passage's own in its place."""
        return any(each.verdict is not Verdict.WITHDRAWN for each in self.citations)

    @property
    def cited_spans(self) -> tuple[CitedSpan, ...]:
        """The spans that the remaining sentences cite."""
        remaining = (citation for citation in self.citations if citation.verdict is not Verdict.WITHDRAWN)
        return tuple(span for citation in remaining for span in citation.references)

    @property
    def text(self) -> str:
        """The final text, without withdrawn sentences and with replacements applied."""
        return BLOCK.join(
            "".join(record.gap * (place > 0) + record.final_text for place, record in enumerate(paragraph))
            for paragraph in self._paragraphs()
        )

    @property
    def paragraphs(self) -> list[list[tuple[str, Citation | None]]]:
        """The final text by paragraphs and sentences, each with its citation; empty paragraphs are omitted."""
        return [[(record.final_text, record.citation) for record in paragraph] for paragraph in self._paragraphs()]

    def _paragraphs(self) -> list[list[_SentenceRecord]]:
        remaining = (record for record in self._records if record.final_text)
        return [list(paragraph) for _, paragraph in groupby(remaining, lambda record: record.paragraph)]


def send(
    paragraphs: Sequence[Paragraph], transcript: Transcript, passages: Mapping[str, Passage]
) -> Iterator[WriteStep]:
    """Yield the numbers of all cited passages, then the draft's text and citations, and add them to the transcript.

    Numbers follow the order of the text, so they can be sent before it.
    """
    for sentence in chain.from_iterable(paragraphs):
        for passage in _cited_passages(sentence, passages):
            transcript.numbers.number_of(passage)
    numbering = transcript.numbers.numbering
    if numbering.passages:
        yield numbering
    for paragraph in _with_short_headings(paragraphs):
        for position, sentence in enumerate(paragraph):
            transcript.begin(sentence.gap if position else BLOCK)
            following = paragraph[position + 1] if position + 1 < len(paragraph) else None
            is_last = following is None or following.gap in (LINE, BLOCK)
            yield from _send_sentence(sentence, transcript, passages, is_last)


def _with_short_headings(paragraphs: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """Yield the paragraphs; a heading names what differs from the one above, as within a document."""
    above = ""
    for first, *others in paragraphs:
        if first.headed_passage is None:
            yield (first, *others)
            continue
        location = first.text.strip(_STRONG)
        yield (replace(first, text=f"{_STRONG}{below(location, above)}{_STRONG}"), *others)
        above = location


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
