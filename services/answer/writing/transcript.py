"""Records an answer in memory as it is written: numbers its paragraphs and sentences, keeps the text that remains."""

from dataclasses import dataclass, field, replace

from libs.contracts.answers import Citation, CitedSpan, TextDelta, Triplet, Verdict
from libs.contracts.usage import Usage
from services.answer.citations import SectionNumbers
from services.answer.drafts import BLOCK, SPACE


@dataclass(frozen=True, slots=True)
class _SentenceRecord:
    sentence: int
    paragraph: int
    gap: str
    text: str
    citation: Citation | None


@dataclass(slots=True)
class Transcript:
    """Paragraphs (separated by empty lines) and sentences are numbered from 1, sentences across the whole answer.

    All deltas together are the streamed text; a sentence's first delta begins with the separator from the previous one.
    """

    paragraph: int = 0
    sentence: int = 0
    is_open: bool = False
    """Whether a sentence is in progress."""
    unanswered: bool = False
    """Whether a language model read the evidence and found no answer in it."""
    triplets: tuple[Triplet, ...] = ()
    """The triplets that a language model was given in addition to the evidence."""
    follow_ups: tuple[str, ...] = ()
    """Follow-up questions that a language model suggests."""
    usage: Usage | None = None
    """What a language model used, if it was asked."""
    numbers: SectionNumbers = field(default_factory=SectionNumbers)
    """The numbers of the cited passages."""
    _parting: str = SPACE
    _gap: str = ""
    _records: list[_SentenceRecord] = field(default_factory=list)

    def begin(self, gap: str) -> None:
        """Begin a new sentence; `gap` separates it from the previous one."""
        first = self.sentence == 0
        self._parting, self._gap = gap, "" if first else gap
        self.paragraph += first or gap == BLOCK
        self.sentence += 1
        self.is_open = True

    def delta(self, text: str) -> TextDelta:
        """Return a piece of the current sentence."""
        gap, self._gap = self._gap, ""
        return TextDelta(self.paragraph, self.sentence, gap + text)

    def end(self, text: str, citation: Citation | None = None) -> None:
        """End the sentence with its text as sent, including markers, and its verdict."""
        self.is_open = False
        self._records.append(_SentenceRecord(self.sentence, self.paragraph, self._parting, text, citation))

    def settle(self, citation: Citation) -> None:
        """Record the verdict on an earlier sentence."""
        self._records = [
            replace(record, citation=citation) if record.sentence == citation.sentence else record
            for record in self._records
        ]

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of all checked sentences."""
        return tuple(record.citation for record in self._records if record.citation)

    @property
    def has_support(self) -> bool:
        """Whether any checked sentence stands as it was written."""
        return any(each.verdict is not Verdict.WITHDRAWN and each.replacement is None for each in self.citations)

    @property
    def cited_spans(self) -> tuple[CitedSpan, ...]:
        """The spans that the remaining sentences cite."""
        remaining = (citation for citation in self.citations if citation.verdict is not Verdict.WITHDRAWN)
        return tuple(span for citation in remaining for span in citation.references)

    @property
    def text(self) -> str:
        """The final text, without withdrawn sentences and with replacements applied."""
        return BLOCK.join(_join(record) for record in self._records_by_paragraph().values())

    @property
    def paragraphs(self) -> list[list[tuple[str, Citation | None]]]:
        """The final text by paragraphs and sentences, each with its citation; empty paragraphs are omitted."""
        return [
            [(record.text, record.citation) for record in paragraph]
            for paragraph in self._records_by_paragraph().values()
        ]

    def _records_by_paragraph(self) -> dict[int, list[_SentenceRecord]]:
        paragraphs: dict[int, list[_SentenceRecord]] = {}
        for record in self._records:
            replacement = record.citation.replacement if record.citation else None
            text = record.text if replacement is None else replacement
            if text:
                paragraphs.setdefault(record.paragraph, []).append(replace(record, text=text))
        return paragraphs


def _join(paragraph: list[_SentenceRecord]) -> str:
    first, *others = paragraph
    return first.text + "".join(record.gap + record.text for record in others)
