"""What can be set about answers."""

from typing import Literal

from pydantic import Field

from libs.runtime.settings import AreaSettings
from services.answer.requests import Length


class AnswerSettings(AreaSettings, area="answer"):
    """Who writes, how much, and when it is better to say nothing."""

    engine: Literal["auto", "llm", "rules"] = "auto"
    """Who writes: `auto` takes the language model where one is configured and quotes where it fails."""
    length: Length = Length.MEDIUM
    """How long an answer is where a request doesn't say; quoted, it has about 40, 100 or 220 words at most."""
    abstain_threshold: float = Field(default=0.5, gt=0, le=1)
    """From this abstain score on the evidence counts as holding no answer. At .5 about 4 % of the questions that ten
    corpora answer are held back, and 57 % of the others."""
    llm_passages: int = Field(default=12, ge=1, le=150)
    """Most passages that the language model is given, the best ranked first."""
    llm_words: int = Field(default=600, ge=100, le=20_000)
    """Most words of these passages together; the three best are given whatever their length. On ten corpora 600 words
    hold the facts for .93 of the questions in sessions and for .97 of stand-alone ones, 400 words for .90 and .95."""
    llm_triplets: int = Field(default=4, ge=0, le=20)
    """Most triplets (who, does what, what) of each passage that stand beside it."""
    coalesce_seconds: float = Field(default=0.03, ge=0, le=1)
    """Pieces of a language model's text within so much time go out as one; a stream moves 3-4 thousand messages/s."""
    recommendations: int = Field(default=6, ge=0, le=6)
    """Most follow-ups that are proposed."""
