"""An answer before it is sent: paragraphs of sentences, each with the words that it quotes."""

from dataclasses import dataclass
from typing import TypeAlias

from services.answer.sentences import EvidenceSentence


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence to send. Without a source it says what the stage knows by itself: a gap, a computed answer."""

    text: str
    source: EvidenceSentence | None = None


Paragraph: TypeAlias = tuple[DraftSentence, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A whole answer: what is quoted, what the stage says by itself, and what it makes of the evidence."""

    quoted: tuple[Paragraph, ...] = ()
    said: tuple[Paragraph, ...] = ()
    """Computed answers, gaps, or that there is no answer: what has to be said whoever writes the rest."""
    abstained: bool = False
    abstains: bool = False
    """Whether the evidence is judged to hold no answer; not acted on where the request wants an answer anyway."""
    abstain_score: float = 0.0
    gaps: tuple[str, ...] = ()

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """All of it, in order."""
        return (*self.quoted, *self.said)
