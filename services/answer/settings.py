"""What can be set about answers."""

from typing import Literal

from pydantic import Field

from services.answer.requests import Length
from services.runtime.settings import AreaSettings


class AnswerSettings(AreaSettings, area="answer"):
    """Who writes, how much, and when it is better to say nothing."""

    engine: Literal["auto", "llm", "rules"] = "auto"
    """Who writes: `auto` takes the language model where one is configured and quotes where it fails."""
    length: Length = Length.MEDIUM
    """How long an answer is where a request doesn't say; quoted, a paragraph has about 30, 100 or 200 words at most."""
    abstain_threshold: float = Field(default=0.5, gt=0, le=1)
    """From this abstain score on the evidence counts as holding no answer; set on labelled questions."""
    llm_passages: int = Field(default=12, ge=1, le=150)
    """Most passages that the language model is given, the best ranked first."""
    llm_triplets: int = Field(default=4, ge=0, le=20)
    """Most triplets (who, does what, what) of each passage that stand beside it."""
    coalesce_seconds: float = Field(default=0.03, ge=0, le=1)
    """Pieces of a language model's text within so much time go out as one; a stream moves 3-4 thousand messages/s."""
    recommendations: int = Field(default=6, ge=0, le=6)
    """Most follow-ups that are proposed."""
