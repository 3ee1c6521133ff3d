"""Settings for condensing and planning."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from libs.contracts.query import Strategy
from libs.engines.catalog import ENGINE_NAME, built_in
from libs.runtime.settings import AreaSettings
from services.decompose.embedding import NearnessBounds
from services.decompose.history import WHOLE_TURNS
from services.decompose.plan.planner import PlanBounds
from services.decompose.query.context import ContextBounds
from services.decompose.query.formulation import FormulationBounds
from services.decompose.query.multi_query import RewriteBounds, VariantKind
from services.decompose.query.weighted import ContextWeights, HistoryWeights

_PLANNING = PlanBounds()
_CONTEXT, _CONTEXT_WEIGHTS, _REWRITING = ContextBounds(), ContextWeights(), RewriteBounds()


class DecomposeSettings(AreaSettings, area="decompose"):
    """How a follow-up becomes a query, and with which domain words. The weights were measured on MTRAG."""

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
    it (`maternal_health`)."""
    term_weight: float = Field(default=0.4, ge=0, le=10)
    """Weight of a word of the newest earlier user turn, relative to the last turn's words."""
    term_decay: float = Field(default=0.5, ge=0, le=1)
    """Factor on a word's weight for each turn that it is older."""
    answer_weight: float = Field(default=0.5, ge=-10, le=10)
    """Weight of the newest answer's embedding, relative to the last turn's."""
    question_weight: float = Field(default=-0.1, ge=-10, le=10)
    """The same for its user turn: slightly negative, because the answer repeats the question."""
    text_decay: float = Field(default=0.4, ge=0, le=1)
    """Factor on an embedding's weight for each turn that it is older."""

    inference: str = "127.0.0.1:50054"
    """Address of the process that computes embeddings (the retrieve stage); used only by MMR and MULTI_QUERY."""
    inference_seconds: float = Field(default=5.0, gt=0)
    """Timeout for embedding, in seconds."""
    embedding_cache: int = Field(default=2048, ge=1, le=1_000_000)
    """Texts whose vectors are cached in memory, so that known turns are not embedded again."""
    mmr_sentences: int = Field(default=_CONTEXT.sentences, ge=1, le=50)
    """MMR: number of history sentences to select."""
    mmr_trade_off: float = Field(default=_CONTEXT.trade_off, ge=0, le=1)
    """MMR: lambda, the weight of similarity to the question against dissimilarity to sentences already selected."""
    mmr_representatives: int = Field(default=_CONTEXT.representatives, ge=1, le=50)
    """MMR: candidate sentences per cluster."""
    mmr_fewest_clusters: int = Field(default=_CONTEXT.fewest_clusters, ge=1, le=50)
    """MMR: minimum number of clusters; the number is about the square root of the number of sentences."""
    mmr_most_clusters: int = Field(default=_CONTEXT.most_clusters, ge=1, le=50)
    """MMR: maximum number of clusters."""
    mmr_least_words: int = Field(default=_CONTEXT.least_words, ge=1, le=50)
    """MMR: minimum number of words in an agent's sentence."""
    mmr_filler: tuple[str, ...] = ()
    """MMR: openings of sentences without content ("thank you"); empty for those of the question's language."""
    mmr_term_weight: float = Field(default=_CONTEXT_WEIGHTS.term, ge=0, le=10)
    """MMR: weight of a word of a selected sentence, relative to the last turn's, if no language model rewrites."""
    mmr_text_weight: float = Field(default=_CONTEXT_WEIGHTS.text, ge=-10, le=10)
    """MMR: weight of the mean of the selected sentences' embeddings."""
    variants: tuple[VariantKind, ...] = tuple(VariantKind)
    """MULTI_QUERY: the wordings to search, by descending weight; their number is the same for model and rules."""
    variant_weight_step: float = Field(default=_REWRITING.weight_step, ge=0, le=1)
    """MULTI_QUERY: how much less each wording weighs than the one before it."""
    variant_likeness: float = Field(default=_REWRITING.least_likeness, ge=-1, le=1)
    """MULTI_QUERY: minimum cosine similarity of a language model's wording and the standalone question."""

    plan_engine: str = Field(default="auto", pattern=ENGINE_NAME)
    """What plans sub-queries: `auto` uses the language model if one is configured, otherwise the rules; `llm`, `rules`,
    or the name of an engine of another package, which `auto` replaces if it fails."""
    plan_seconds: float = Field(default=_PLANNING.llm_seconds, gt=0)
    """Timeout of the language model for planning, in seconds; after it, the rules' result is used."""
    plan_words: int = Field(default=_PLANNING.least_words, ge=1, le=1000)
    """Minimum length of a question, in words, to ask the language model; the rules plan shorter ones."""
    plan_too_near: float = Field(default=_PLANNING.nearness.too_near, ge=-1, le=1)
    """Cosine similarity to the question above which a sub-query repeats it and is dropped."""
    plan_too_far: float = Field(default=_PLANNING.nearness.too_far, ge=-1, le=1)
    """Cosine similarity to the question below which a sub-query is unrelated and is dropped."""

    @property
    def planning(self) -> PlanBounds:
        """The bounds of the planner."""
        nearness = NearnessBounds(self.plan_too_near, self.plan_too_far)
        return PlanBounds(built_in(self.plan_engine), self.plan_seconds, self.plan_words, nearness)

    @property
    def default_strategy(self) -> Strategy:
        """The strategy as an enum member."""
        return Strategy(self.strategy)

    @property
    def weights(self) -> HistoryWeights:
        """The history weights of the weighted query."""
        return HistoryWeights(
            self.term_weight, self.term_decay, self.answer_weight, self.question_weight, self.text_decay
        )

    @property
    def searching(self) -> FormulationBounds:
        """The bounds of query formulation."""
        context = ContextBounds(
            self.mmr_sentences, self.mmr_trade_off, self.mmr_representatives, self.mmr_fewest_clusters,
            self.mmr_most_clusters, self.mmr_least_words, filler=self.mmr_filler,
        )  # fmt: skip
        context_weights = ContextWeights(self.mmr_term_weight, self.mmr_text_weight)
        rewriting = RewriteBounds(
            self.variants, self.variant_weight_step, self.variant_likeness, seconds=self.llm_seconds
        )
        return FormulationBounds(self.weights, context, context_weights, rewriting)
