"""Elasticsearch queries: boosted stems and learned tokens score, filters and permissions only admit."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.retrieve.corpus.filtering import UNDATED, Access, Admission

SPARSE = "\x1f"
"""Prefix of a learned token among the terms of a query; no stem has it."""

_FACTOR = 2.2
"""k1 + 1, by which Elasticsearch multiplies BM25, unlike current Lucene and the embedded engine."""

Clause = dict[str, Any]


def scored(terms: Mapping[str, float], sparse_weight: float) -> Clause:
    """The sum of weight * BM25 over the stems, and of the learned tokens' inner product if there are any."""
    stems: list[Clause] = [
        {"term": {"body": {"value": term, "boost": weight / _FACTOR}}}
        for term, weight in terms.items()
        if not term.startswith(SPARSE)
    ]
    tokens = {term[len(SPARSE) :]: weight for term, weight in terms.items() if term.startswith(SPARSE)}
    if tokens:
        stems.append({"sparse_vector": {"field": "sparse", "query_vector": tokens, "boost": sparse_weight}})
    return {"bool": {"should": stems, "minimum_should_match": 1}}


def admitted(access: Access) -> Sequence[Clause]:
    """The conditions that a passage must meet; always including the permission."""
    return conditions(access.admission(any_restricted=True))


def conditions(admission: Admission) -> list[Clause]:
    """Clauses that must all hold."""
    clauses = [_any_label(sorted(labels)) for labels in admission.labels]
    if admission.seconds is not None:
        date_range = [
            {"range": {"first_second": {"lte": admission.seconds.last}}},
            {"range": {"last_second": {"gte": admission.seconds.first}}},
        ]
        alternatives: list[Clause] = [{"bool": {"filter": date_range}}]
        if admission.undated:
            alternatives.append(_any_label([UNDATED]))
        clauses.append({"bool": {"should": alternatives, "minimum_should_match": 1}})
    return clauses


def of_keys(keys: Sequence[int]) -> Clause:
    """Only these passages."""
    return {"terms": {"key": list(keys)}}


def _any_label(labels: Sequence[str]) -> Clause:
    return {"terms": {"labels": list(labels)}}
