"""Retrieval prior of a passage, before its sentences are read: from its fused score, vector score and rank."""

from collections.abc import Collection, Iterable, Mapping

from libs.contracts.evidence import Reference


def priors_of(references: Collection[Reference]) -> Mapping[int, float]:
    """Map each reference's number to the retrieval prior of its passage, in [0, 1]."""
    best = best_fused_score(references)
    return {reference.number: _prior(reference, best) for reference in references}


def best_fused_score(references: Iterable[Reference]) -> float:
    """Return the best fused score of the references; 0 if there are none."""
    return max((reference.evidence.scores.fused for reference in references), default=0.0)


def share_of_best(reference: Reference, best: float) -> float:
    """Return a reference's share of the best fused score, in [0, 1]; based on its rank if nothing was fused."""
    return max(0.0, reference.evidence.scores.fused) / best if best > 0 else _by_rank(reference)


def _prior(reference: Reference, best: float) -> float:
    vector = reference.evidence.scores.vector
    closeness = _by_rank(reference) if vector is None else max(0.0, vector)
    return 0.5 * share_of_best(reference, best) + 0.5 * closeness


def _by_rank(reference: Reference) -> float:
    return 1 / (1 + 0.2 * (max(1, reference.evidence.rank or reference.number) - 1))
