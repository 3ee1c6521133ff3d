"""What can be set about condensing and planning."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from services.decompose.history import WHOLE_TURNS
from services.decompose.weighted import HistoryWeights
from services.runtime.settings import AreaSettings
from services.vocabulary.query import Strategy


class DecomposeSettings(AreaSettings, area="decompose"):
    """How a follow-up becomes a query, and by which words. The weights were measured on MTRAG."""

    strategy: Literal["LAST_TURN", "LADDER", "WEIGHTED", "LLM"] = "WEIGHTED"
    """What goes to retrieval where a request doesn't say; the standalone question is made in any case."""
    engine: Literal["auto", "llm", "rules"] = "auto"
    """Who makes a turn stand alone: `auto` asks the language model where one is configured, and else the rules."""
    llm_seconds: float = Field(default=5.0, gt=0)
    """Most time the language model may take for it before the rules step in."""
    whole_turns: int = Field(default=WHOLE_TURNS, ge=1, le=50)
    """Turns of the history that are read whole; older ones are read as a summary."""
    domain: Path | None = None
    """A file of the shape of `services/decompose/domain.toml` with the subject's own words."""
    term_weight: float = Field(default=0.4, ge=0, le=10)
    """What a word of the newest earlier user turn weighs beside the last turn's words."""
    term_decay: float = Field(default=0.5, ge=0, le=1)
    """How much less a word weighs with each turn that it is older."""
    answer_weight: float = Field(default=0.5, ge=-10, le=10)
    """What the newest answer's embedding weighs beside the last turn's."""
    question_weight: float = Field(default=-0.1, ge=-10, le=10)
    """The same for its user turn: a little is taken out, because the answer repeats it."""
    text_decay: float = Field(default=0.4, ge=0, le=1)
    """How much less an embedding weighs with each turn that it is older."""

    @property
    def default_strategy(self) -> Strategy:
        """As the vocabulary names it."""
        return Strategy(self.strategy)

    @property
    def weights(self) -> HistoryWeights:
        """As the weighted query takes them."""
        return HistoryWeights(
            self.term_weight, self.term_decay, self.answer_weight, self.question_weight, self.text_decay
        )
