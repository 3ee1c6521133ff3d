"""An answer before it is sent: paragraphs of sentences, each with the words that it quotes."""

from dataclasses import dataclass

from services.answer.sentences import EvidenceSentence


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence to send. Without a source it says what the stage knows by itself: a gap, a computed answer."""

    text: str
    source: EvidenceSentence | None = None
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Draft:
    """A whole answer: paragraphs in order, and what it says about itself."""

    paragraphs: tuple[tuple[DraftSentence, ...], ...]
    abstained: bool = False
    abstain_score: float = 0.0
    gaps: tuple[str, ...] = ()
