"""An answer before it is sent, as plain values: paragraphs of sentences, each with its quotation."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from libs.contracts.evidence import Passage, Reference
from libs.contracts.spans import Span
from services.answer.subquestions import ComputedAnswer

SPACE: Final = " "
NOTHING: Final = ""
LINE: Final = "\n"
BLOCK: Final = "\n\n"
"""Separators of sentences: within a block, within a block of a script without spaces, between lines of a list or table,
and between blocks."""
WIDE_STOPS: Final = ("。", "！", "？", "；")
"""No space follows these."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a reference's passage."""

    reference: Reference
    span: Span
    """In the passage's text."""

    @property
    def passage(self) -> Passage:
        """The quoted passage."""
        return self.reference.evidence.passage

    @property
    def place(self) -> tuple[str, int, int]:
        """Its passage's id, and where it starts and ends."""
        return self.passage.passage_id, self.span.start, self.span.end

    @property
    def quote(self) -> str:
        """The exact words of the passage."""
        return self.span.of(self.passage.text)


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence to send: quoted, computed, a section heading, or a message of the stage."""

    text: str
    quotation: Quotation | None = None
    computed: ComputedAnswer | None = None
    headed_passage: Passage | None = None
    """The passage whose section this heading names; the section's number follows it, once for all quotes below."""
    gap: str = SPACE
    """Separator from the previous sentence in the paragraph."""
    answers: bool = False
    """Whether it is marked as the answer."""
    note: str = ""
    """What stands after it in the suite's own words: how many items of its list are not shown."""
    is_translated: bool = False
    """Whether a language model put the quotation into another language."""


Paragraph: TypeAlias = tuple[DraftSentence, ...]


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """A whole answer: quotations, the stage's own messages, and its judgement of the evidence."""

    computed: tuple[Paragraph, ...] = ()
    """Computed answers; included whichever engine writes the rest."""
    caution: tuple[Paragraph, ...] = ()
    """What stands above quotations that may be no answer."""
    quotations: tuple[Paragraph, ...] = ()
    gap_messages: tuple[Paragraph, ...] = ()
    """Messages about parts without an answer, as the rules judge; a model that read the evidence knows better."""
    uncomputed_messages: tuple[Paragraph, ...] = ()
    """Messages about what could not be computed; included whichever engine writes the rest."""
    nearest: tuple[Paragraph, ...] = ()
    """The nearest quotations if there is no answer."""
    abstained: bool = False
    abstains: bool = False
    """Whether the evidence is judged to have no answer; set even if the request forbids abstaining."""
    abstain_score: float = 0.0
    gaps: tuple[str, ...] = ()
    """Sub-questions without an answer, as the rules judge."""
    uncomputed: tuple[str, ...] = ()
    """Sub-questions that depend on the answers of others, some of which are missing."""

    @property
    def is_translated(self) -> bool:
        """Whether a language model put quotations into another language."""
        return any(sentence.is_translated for paragraph in self.quotations for sentence in paragraph)

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """All paragraphs, in order."""
        stated = (*self.computed, *self.caution, *self.quotations)
        return (*stated, *self.gap_messages, *self.uncomputed_messages, *self.nearest)

    @property
    def paragraphs_beside_model(self) -> tuple[Paragraph, ...]:
        """What a language model's text leaves out: what is computed, not written."""
        return (*self.computed, *self.uncomputed_messages)
