"""Ranking parameters and relevance labels: pure values. Numbers that name no source are chosen by hand."""

import math
from dataclasses import dataclass

from libs.contracts.evidence import Relevance
from libs.contracts.options import Depth, Fusion, RetrieveOptions
from services.retrieve.search.fusion import FusionWeights


@dataclass(frozen=True, slots=True)
class RelevanceThresholds:
    """Least scores of the labels HIGH and MEDIUM, on the scale that the list is labelled by."""

    high: float
    medium: float

    def label(self, score: float) -> Relevance:
        """The label of a score."""
        if score >= self.high:
            return Relevance.HIGH
        return Relevance.MEDIUM if score >= self.medium else Relevance.LOW


@dataclass(frozen=True, slots=True)
class DefinitionBoosts:
    """Bonuses for a question of what something is, relative to a cosine.

    Of 60 such questions on ten corpora the defining passage is first for 53, and for 41 without them.
    """

    title: float = 0.3
    """Of what opens a document, times the share of its title's words that name the thing."""
    heading: float = 0.2
    """The same of a section and its heading."""
    told: float = 0.4
    """Of a text that tells what the thing is."""


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """The stage's defaults, for whatever a request does not specify."""

    lexical_depth: int = 1000  # candidates, as of the next two
    vector_depth: int = 500
    rerank_depth: int = 150
    rerank_seconds: float = 4.0
    """Timeout of the reranker; a model of MiniLM's size reads 150 passages in 2 to 3 seconds on one core."""
    near_duplicate: float = 0.8
    """Least cosine of passages that are compared by facts and words (30 duplicates by strangers: .82 and more)."""
    evidence: int = 20
    fusion: Fusion = Fusion.SUM
    lexical_weight: float = 1.0
    """Weight of the full-text score, multiplied by its measured weight (`fusion.LEXICAL_WEIGHT`)."""
    vector_weight: float = 1.0
    time_boost: float = 0.8
    """By how much better a passage without a date has to fit than one of the question's time to stand before it."""
    definitions: DefinitionBoosts = DefinitionBoosts()
    variant_depth: int = 5
    """Candidates of each engine for each wording, if a query has several; likewise the next two."""
    variant_cosine: float = 0.05
    """Least cosine of a vector match for a wording."""
    variant_evidence: int = 8
    hybrid: RelevanceThresholds = RelevanceThresholds(1.0, 0.7)
    """Thresholds with both engines, on the scale of the weighted sum (taste: a few questions read by hand)."""
    lexical: RelevanceThresholds = RelevanceThresholds(0.5, 0.3)
    """Thresholds with the full-text engine alone."""
    reranked: RelevanceThresholds = RelevanceThresholds(0.5, 0.1)
    """Thresholds on the reranker's scale, a probability."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """How one request is ranked: the settings, overridden by the request."""

    depth: Depth
    fusion: Fusion
    weights: FusionWeights
    least_cosine: float = -math.inf
    """Vector matches below it are dropped."""
    cosine_share: float = 1.0
    """Share of the cosine's weight that counts for the order; less than 1 for a language unknown to the model."""


def ranking_of(options: RetrieveOptions, settings: RankingSettings, several: bool = False) -> Ranking:
    """Fill in what the request leaves open; with `several` wordings, each is searched less deeply."""
    request_depth, defaults = options.depth or Depth(), _depth(settings, several)
    depth = Depth(
        request_depth.lexical or defaults.lexical,
        request_depth.vector or defaults.vector,
        request_depth.rerank or defaults.rerank,
        request_depth.evidence or defaults.evidence,
    )
    lexical = settings.lexical_weight if options.lexical_weight is None else options.lexical_weight
    vector = settings.vector_weight if options.vector_weight is None else options.vector_weight
    least = settings.variant_cosine if several else -math.inf
    return Ranking(depth, options.fusion or settings.fusion, FusionWeights(lexical, vector), least)


def _depth(settings: RankingSettings, several: bool) -> Depth:
    depth = Depth(settings.lexical_depth, settings.vector_depth, settings.rerank_depth, settings.evidence)
    if not several:
        return depth
    return Depth(
        min(depth.lexical, settings.variant_depth),
        min(depth.vector, settings.variant_depth),
        depth.rerank,
        min(depth.evidence, settings.variant_evidence),
    )
