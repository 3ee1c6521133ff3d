"""Settings for condensing and planning."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from libs.contracts.query import Strategy
from libs.engines.catalog import ENGINE_NAME, built_in
from libs.runtime.settings import AreaSettings
from services.decompose.history import WHOLE_TURNS
from services.decompose.plan.planner import PlanBounds
from services.decompose.query.context import ContextBounds
from services.decompose.query.multi_query import RewriteBounds, VariantKind

_PLANNING, _CONTEXT = PlanBounds(), ContextBounds()


class DecomposeSettings(AreaSettings, area="decompose"):
    """How a follow-up becomes a query, and with which domain words."""

    strategy: Literal["LAST_TURN", "LADDER", "WEIGHTED", "MMR", "MULTI_QUERY", "LLM"] = "WEIGHTED"
    """What goes to retrieval if the request names no strategy; the standalone question is always produced."""
    engine: str = Field(default="auto", pattern=ENGINE_NAME)
    """What condenses a turn: `auto` uses the language model if one is configured, otherwise the rules; `llm`, `rules`,
    or the name of an engine of another package, which `auto` replaces if it fails."""
    llm_seconds: float = Field(default=5.0, gt=0)
    """Timeout of the language model for condensing, in seconds; after it, the rules' result is used."""
    whole_turns: int = Field(default=WHOLE_TURNS, ge=1, le=50)
    """Turns of the history that are read in full; older ones are read as a summary."""
    domain: Path | None = None
    """A domain file in the format of `libs/language/data/en/domains/general.toml`, or the bare name of one beside
    it (`maternal_health`) or in the folder `en/domains` of PARLEY_LANGUAGE_DATA."""

    inference: str = "127.0.0.1:50054"
    """Address of the process that computes embeddings (the retrieve stage); used only by MMR and MULTI_QUERY."""
    inference_seconds: float = Field(default=5.0, gt=0)
    """Timeout for embedding, in seconds."""
    mmr_sentences: int = Field(default=_CONTEXT.sentences, ge=1, le=50)
    """MMR: number of history sentences to select."""
    mmr_trade_off: float = Field(default=_CONTEXT.trade_off, ge=0, le=1)
    """MMR: lambda, the weight of similarity to the question against dissimilarity to sentences already selected."""
    variants: tuple[VariantKind, ...] = tuple(VariantKind)
    """MULTI_QUERY: the wordings to search, by descending weight; their number is the same for model and rules."""

    plan_engine: str = Field(default="auto", pattern=ENGINE_NAME)
    """What plans sub-queries: `auto` uses the language model if one is configured, otherwise the rules; `llm`, `rules`,
    or the name of an engine of another package, which `auto` replaces if it fails."""
    plan_seconds: float = Field(default=_PLANNING.llm_seconds, gt=0)
    """Timeout of the language model for planning, in seconds; after it, the rules' result is used."""

    @property
    def planning(self) -> PlanBounds:
        """The bounds of the planner."""
        return PlanBounds(built_in(self.plan_engine), self.plan_seconds)

    @property
    def default_strategy(self) -> Strategy:
        """The strategy as an enum member."""
        return Strategy(self.strategy)

    @property
    def context(self) -> ContextBounds:
        """The bounds of MMR."""
        return ContextBounds(self.mmr_sentences, self.mmr_trade_off)

    @property
    def rewriting(self) -> RewriteBounds:
        """The bounds of MULTI_QUERY."""
        return RewriteBounds(self.variants, self.llm_seconds)
