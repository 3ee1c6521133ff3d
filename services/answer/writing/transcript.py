"""Records an answer in memory as it is written: numbers its paragraphs and sentences, keeps the text that remains."""

from dataclasses import dataclass, field
from itertools import groupby

from libs.contracts.answers import Citation, CitedSpan, TextDelta, Verdict
from libs.contracts.usage import Usage
from libs.language.characters import without_unseen
from services.answer.citing.citations import SectionNumbers
from services.answer.citing.drafts import BLOCK


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
    """Whether a sentence is in progress."""
    unanswered: bool = False
    """Whether a language model read the evidence and found no answer in it."""
    wanted_search: str = ""
    """What this model asks to search for instead."""
    follow_ups: tuple[str, ...] = ()
    """Follow-up questions that a language model suggests."""
    usage: Usage | None = None
    """What a language model used, if it was asked."""
    numbers: SectionNumbers = field(default_factory=SectionNumbers)
    """The numbers of the cited passages."""
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
