"""One list of references from what several sub-queries found.

A passage found by several nodes keeps its best score and names all of them. First come the passages that short answers
stand in: what was built on them has to be citable. The others are dealt out node by node, best rank first, so that
every sub-query is represented before any gives a second passage; ties go to the higher score.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from gateway.stages import Extracted, Found
from services.vocabulary.evidence import Evidence, RankedPassage, Reference


def told_by(answers: Mapping[str, Extracted]) -> frozenset[str]:
    """Ids of the passages that short answers stand in."""
    return frozenset(answer.source.passage_id for answer in answers.values() if answer.source)


def merge_evidence(found: Mapping[str, Found], first: Set[str] = frozenset()) -> list[Evidence]:
    """Evidence of all nodes, each passage once, in the order it is to be numbered in, ranked anew from 1.

    Args:
        found: what was found, by node id.
        first: ids of passages that come before all others.
    """
    best: dict[str, Evidence] = {}
    nodes: dict[str, list[str]] = {}
    for node_id, result in found.items():
        for evidence in result.evidence:
            key = evidence.passage.passage_id
            nodes.setdefault(key, []).append(node_id)
            if key not in best or _place(evidence) < _place(best[key]):
                best[key] = evidence
    ordered = sorted(best.values(), key=lambda evidence: (evidence.passage.passage_id not in first, _place(evidence)))
    return [
        replace(evidence, rank=rank, nodes=tuple(nodes[evidence.passage.passage_id]))
        for rank, evidence in enumerate(ordered, start=1)
    ]


def _place(evidence: Evidence) -> tuple[int, float]:
    return evidence.rank, -evidence.scores.fused


def number(evidence: Sequence[Evidence], limit: int) -> tuple[Reference, ...]:
    """The first `limit` pieces of evidence with the numbers to cite them by, from 1."""
    return tuple(Reference(n, item) for n, item in enumerate(evidence[:limit], start=1))


def merge_rankings(found: Mapping[str, Found], limit: int) -> tuple[RankedPassage, ...]:
    """The first `limit` places over all nodes, each passage by its best score; ties by id, as scorers break them."""
    scores: dict[str, float] = {}
    for result in found.values():
        for place in result.ranking:
            scores[place.passage_id] = max(place.score, scores.get(place.passage_id, float("-inf")))
    ordered = sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return tuple(RankedPassage(passage_id, score) for passage_id, score in ordered[:limit])
