"""An answer before it is sent: paragraphs of sentences, each with the words that it quotes."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from libs.contracts.evidence import Passage, Reference
from libs.contracts.spans import Span
from services.answer.subquestions import Computed

SPACE: Final = " "
NOTHING: Final = ""
LINE: Final = "\n"
BLOCK: Final = "\n\n"
"""What parts sentences: within a block of text, within one of a script without spaces, lines within a list or table,
blocks."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a reference's passage."""

    reference: Reference
    span: Span
    """In the passage's text."""

    @property
    def passage(self) -> Passage:
        """The passage that they stand in."""
        return self.reference.evidence.passage

    @property
    def quote(self) -> str:
        """The words exactly as the passage has them."""
        return self.span.of(self.passage.text)


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence to send: quoted, computed, the place of what follows, or what the stage says by itself."""

    text: str
    quotation: Quotation | None = None
    computed: Computed | None = None
    heads: Passage | None = None
    """The passage whose section it names: the section's number follows it, once for all that is quoted below."""
    gap: str = SPACE
    """What parts it from the sentence before it in its paragraph."""


Paragraph: TypeAlias = tuple[DraftSentence, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A whole answer: what is quoted, what the stage says by itself, and what it makes of the evidence."""

    computed: tuple[Paragraph, ...] = ()
    """What functions gave; has to be said whoever writes the rest."""
    quoted: tuple[Paragraph, ...] = ()
    doubted: tuple[Paragraph, ...] = ()
    """Which parts have no answer, or that there is none, as the rules judge; a model that read the evidence knows."""
    said: tuple[Paragraph, ...] = ()
    """What could not be computed: has to be said whoever writes the rest."""
    nearest: tuple[Paragraph, ...] = ()
    """What comes nearest where there is no answer."""
    abstained: bool = False
    abstains: bool = False
    """Whether the evidence is judged to hold no answer; not acted on where the request wants an answer anyway."""
    abstain_score: float = 0.0
    gaps: tuple[str, ...] = ()
    """Sub-questions without an answer, as the rules judge."""
    uncomputed: tuple[str, ...] = ()
    """Those that would follow from others, some of which have no answer."""

    @property
    def quoted_first(self) -> tuple[Paragraph, ...]:
        """The best quotations: those of the first section that is named."""
        heads = [place for place, paragraph in enumerate(self.quoted) if paragraph and paragraph[0].heads]
        return self.quoted[: heads[1]] if len(heads) > 1 else self.quoted

    @property
    def best(self) -> Passage | None:
        """The passage of the best quotation; None where nothing is quoted."""
        quotations = (sentence.quotation for paragraph in self.quoted for sentence in paragraph)
        return next((quotation.passage for quotation in quotations if quotation), None)

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """All of it, in order."""
        return (*self.computed, *self.quoted, *self.doubted, *self.said, *self.nearest)
