"""What can be set about condensing and planning."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from libs.contracts.query import Strategy
from libs.runtime.settings import AreaSettings
from services.decompose.history import WHOLE_TURNS
from services.decompose.plan.nearness import NearnessBounds
from services.decompose.plan.planner import PlanBounds
from services.decompose.query.context import FILLER, ContextBounds
from services.decompose.query.formulation import FormulationBounds
from services.decompose.query.multi_query import RewriteBounds, VariantKind
from services.decompose.query.weighted import ContextWeights, HistoryWeights

_PLANNING = PlanBounds()
_CONTEXT, _CONTEXT_WEIGHTS, _REWRITING = ContextBounds(), ContextWeights(), RewriteBounds()


class DecomposeSettings(AreaSettings, area="decompose"):
    """How a follow-up becomes a query, and by which words. The weights were measured on MTRAG."""

    strategy: Literal["LAST_TURN", "LADDER", "WEIGHTED", "MMR", "MULTI_QUERY", "LLM"] = "WEIGHTED"
    """What goes to retrieval where a request doesn't say; the standalone question is made in any case."""
    engine: Literal["auto", "llm", "rules"] = "auto"
    """Who makes a turn stand alone: `auto` asks the language model where one is configured, and else the rules."""
    llm_seconds: float = Field(default=5.0, gt=0)
    """Most time the language model may take for it before the rules step in."""
    whole_turns: int = Field(default=WHOLE_TURNS, ge=1, le=50)
    """Turns of the history that are read whole; older ones are read as a summary."""
    domain: Path | None = None
    """A file of the shape of `services/decompose/words/domain.toml` with the subject's own words, or the bare name of
    one of `services/decompose/words/domains` (`maternal_health`)."""
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

    inference: str = "127.0.0.1:50054"
    """Address of the process whose model embeds (the retrieve stage); only MMR and MULTI_QUERY ask it."""
    inference_seconds: float = Field(default=5.0, gt=0)
    """Most time it may take."""
    embedding_cache: int = Field(default=2048, ge=1, le=1_000_000)
    """Texts whose vectors are kept in memory, so that known turns are not embedded again."""
    mmr_sentences: int = Field(default=_CONTEXT.sentences, ge=1, le=50)
    """MMR: sentences of the history that are chosen."""
    mmr_trade_off: float = Field(default=_CONTEXT.trade_off, ge=0, le=1)
    """MMR: lambda, how much nearness to the question counts beside not repeating what was chosen."""
    mmr_representatives: int = Field(default=_CONTEXT.representatives, ge=1, le=50)
    """MMR: sentences a cluster that may be chosen."""
    mmr_fewest_clusters: int = Field(default=_CONTEXT.fewest_clusters, ge=1, le=50)
    """MMR: least number of clusters; it is about the square root of the number of sentences."""
    mmr_most_clusters: int = Field(default=_CONTEXT.most_clusters, ge=1, le=50)
    """MMR: greatest number of clusters."""
    mmr_least_words: int = Field(default=_CONTEXT.least_words, ge=1, le=50)
    """MMR: words that an agent's sentence must have."""
    mmr_filler: tuple[str, ...] = FILLER
    """MMR: how sentences begin that say nothing of the matter ("thank you")."""
    mmr_term_weight: float = Field(default=_CONTEXT_WEIGHTS.term, ge=0, le=10)
    """MMR: what a word of a chosen sentence weighs beside the last turn's, where no language model rewrites."""
    mmr_text_weight: float = Field(default=_CONTEXT_WEIGHTS.text, ge=-10, le=10)
    """MMR: what the mean of the chosen sentences' embeddings weighs."""
    variants: tuple[VariantKind, ...] = tuple(VariantKind)
    """MULTI_QUERY: the wordings that are searched, in the order of their weight; as many are, whoever makes them."""
    variant_weight_step: float = Field(default=_REWRITING.weight_step, ge=0, le=1)
    """MULTI_QUERY: how much less each wording weighs than the one before it."""
    variant_likeness: float = Field(default=_REWRITING.least_likeness, ge=-1, le=1)
    """MULTI_QUERY: least cosine of a language model's wording and the standalone question."""

    plan_engine: Literal["auto", "llm", "rules"] = "auto"
    """Who plans sub-queries: `auto` asks the language model where one is configured, and else the rules."""
    plan_seconds: float = Field(default=_PLANNING.llm_seconds, gt=0)
    """Most time the language model may take for it before the rules step in."""
    plan_words: int = Field(default=_PLANNING.least_words, ge=1, le=1000)
    """Words of a question from which on the language model is asked; the rules read shorter ones."""
    plan_too_near: float = Field(default=_PLANNING.nearness.too_near, ge=-1, le=1)
    """Cosine of a sub-query and its question above which it says the same, and is dropped."""
    plan_too_far: float = Field(default=_PLANNING.nearness.too_far, ge=-1, le=1)
    """Cosine below which a sub-query has nothing to do with its question, and is dropped."""

    @property
    def planning(self) -> PlanBounds:
        """As the planner takes them."""
        nearness = NearnessBounds(self.plan_too_near, self.plan_too_far)
        return PlanBounds(self.plan_engine, self.plan_seconds, self.plan_words, nearness)

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

    @property
    def searching(self) -> FormulationBounds:
        """As what makes the queries takes them."""
        context = ContextBounds(
            self.mmr_sentences, self.mmr_trade_off, self.mmr_representatives, self.mmr_fewest_clusters,
            self.mmr_most_clusters, self.mmr_least_words, filler=self.mmr_filler,
        )  # fmt: skip
        context_weights = ContextWeights(self.mmr_term_weight, self.mmr_text_weight)
        rewriting = RewriteBounds(
            self.variants, self.variant_weight_step, self.variant_likeness, seconds=self.llm_seconds
        )
        return FormulationBounds(self.weights, context, context_weights, rewriting)
