"""An answer before it is sent: paragraphs of sentences, each with the words that it quotes."""

from dataclasses import dataclass
from typing import TypeAlias

from services.answer.sentences import EvidenceSentence
from services.answer.subquestions import Computed


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence to send: quoted from a source, computed, or what the stage knows by itself, such as a gap."""

    text: str
    source: EvidenceSentence | None = None
    computed: Computed | None = None


Paragraph: TypeAlias = tuple[DraftSentence, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A whole answer: what is quoted, what the stage says by itself, and what it makes of the evidence."""

    computed: tuple[Paragraph, ...] = ()
    """What functions gave; has to be said whoever writes the rest."""
    quoted: tuple[Paragraph, ...] = ()
    said: tuple[Paragraph, ...] = ()
    """Gaps, or that there is no answer: what has to be said whoever writes the rest."""
    abstained: bool = False
    abstains: bool = False
    """Whether the evidence is judged to hold no answer; not acted on where the request wants an answer anyway."""
    abstain_score: float = 0.0
    gaps: tuple[str, ...] = ()

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """All of it, in order."""
        return (*self.computed, *self.quoted, *self.said)
