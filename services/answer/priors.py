"""How well retrieval liked a passage, before a sentence of it is read: by its fused score, its vector and its rank."""

from collections.abc import Collection, Iterable, Mapping

from libs.contracts.evidence import Reference


def priors_of(references: Collection[Reference]) -> Mapping[int, float]:
    """From a reference's number to how well retrieval liked its passage, in [0, 1]."""
    best = best_fused(references)
    return {reference.number: _prior(reference, best) for reference in references}


def best_fused(references: Iterable[Reference]) -> float:
    """The best fused score of some references; 0 where none has one."""
    return max((reference.evidence.scores.fused for reference in references), default=0.0)


def share_of_best(reference: Reference, best: float) -> float:
    """A reference's fused score as a share of the best one, in [0, 1]; by its rank where nothing was fused."""
    return max(0.0, reference.evidence.scores.fused) / best if best > 0 else _by_rank(reference)


def _prior(reference: Reference, best: float) -> float:
    vector = reference.evidence.scores.vector
    closeness = _by_rank(reference) if vector is None else max(0.0, vector)
    return 0.5 * share_of_best(reference, best) + 0.5 * closeness


def _by_rank(reference: Reference) -> float:
    return 1 / (1 + 0.2 * (max(1, reference.evidence.rank or reference.number) - 1))
