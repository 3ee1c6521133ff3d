"""Merges the results of several sub-queries, the nodes of a graph, into one list of references. Pure functions.

A passage found by several nodes keeps its best score and lists all of them. Passages that contain short answers come
first, since other sub-queries depend on them and they must be citable. The others are taken in turn from each node,
best rank first, so that every sub-query is represented before any adds a second passage; ties go to the higher score
over all search engines.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Evidence, RankedPassage, Reference
from libs.contracts.stages.answer import Numbering
from libs.contracts.stages.retrieve import RetrieveResult


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """A short answer of a node, extracted or computed; a computed one has no source."""

    answer: str
    source: CitedSpan | None = None


def merge_evidence(
    results: Mapping[str, RetrieveResult], answers: Mapping[str, NodeAnswer] | None = None
) -> list[Evidence]:
    """Return the evidence of all nodes, each passage once, in numbering order and re-ranked from 1.

    Args:
        results: the results, by node id.
        answers: the short answers, by node id, that other nodes use.
    """
    best: dict[str, Evidence] = {}
    places: dict[str, tuple[int, float]] = {}
    nodes: dict[str, list[str]] = {}
    for node_id, result in results.items():
        for evidence in result.evidence:
            key = evidence.passage.passage_id
            nodes.setdefault(key, []).append(node_id)
            place = evidence.rank, -evidence.scores.fused
            if key not in best or place < places[key]:
                best[key], places[key] = evidence, place
    answer_sources = {answer.source.passage_id for answer in (answers or {}).values() if answer.source}
    ranking = sorted(best.items(), key=lambda item: (item[0] not in answer_sources, places[item[0]]))
    return [
        replace(evidence, rank=rank, nodes=tuple(nodes[key])) for rank, (key, evidence) in enumerate(ranking, start=1)
    ]


def number(evidence: Sequence[Evidence], limit: int) -> tuple[Reference, ...]:
    """Return the first `limit` pieces of evidence as references numbered from 1."""
    return tuple(Reference(n, item) for n, item in enumerate(evidence[:limit], start=1))


def renumber(references: Sequence[Reference], numbering: Numbering) -> tuple[Reference, ...]:
    """Return the references with the text's citation numbers, one per section; uncited sections follow."""
    passage_numbers = {passage.passage_id: passage.number for passage in numbering.passages}
    passages = [reference.evidence.passage for reference in references]
    numbers = {p.section: passage_numbers[p.passage_id] for p in passages if p.passage_id in passage_numbers}
    next_numbers = count(max(passage_numbers.values(), default=0) + 1)
    for passage in passages:
        if passage.section not in numbers:
            numbers[passage.section] = next(next_numbers)
    renumbered_references = [
        replace(reference, number=numbers[reference.evidence.passage.section]) for reference in references
    ]
    return tuple(
        sorted(renumbered_references, key=lambda r: (r.number, r.evidence.passage.passage_id not in passage_numbers))
    )


def merge_rankings(results: Mapping[str, RetrieveResult], limit: int) -> tuple[RankedPassage, ...]:
    """Return the top `limit` places over all nodes, each passage by its best score; ties by id, as scorers do."""
    scores: dict[str, float] = {}
    for result in results.values():
        for place in result.ranking:
            scores[place.passage_id] = max(place.score, scores.get(place.passage_id, float("-inf")))
    ranking = sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return tuple(RankedPassage(passage_id, score) for passage_id, score in ranking[:limit])
