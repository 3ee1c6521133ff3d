"""The requests to Elasticsearch: queries, and writes of bounded size."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import structlog

from libs.elastic.server import ElasticsearchServer
from libs.runtime.errors import Unavailable
from services.retrieve.corpus.feed import TextPassage
from services.retrieve.corpus.filtering import UNDATED, Access, Admission
from services.retrieve.engines.elasticsearch.index import FILLER
from services.retrieve.search.terms import indexed_terms

SPARSE = "\x1f"
"""Prefix of a learned token among the terms of a query; no stem has it."""
SPARSE_WEIGHT = 1.0
"""Weight of the learned tokens' inner product relative to BM25. Not measured: it depends on the model."""
_FACTOR = 2.2
"""k1 + 1, by which Elasticsearch multiplies BM25, unlike current Lucene and the embedded engine."""
Clause = dict[str, Any]


def scored(terms: Mapping[str, float]) -> Clause:
    """The sum of weight * BM25 over the stems, and of the learned tokens' inner product if there are any."""
    stems: list[Clause] = [
        {"term": {"body": {"value": term, "boost": weight / _FACTOR}}}
        for term, weight in terms.items()
        if not term.startswith(SPARSE)
    ]
    tokens = {term[len(SPARSE) :]: weight for term, weight in terms.items() if term.startswith(SPARSE)}
    if tokens:
        stems.append({"sparse_vector": {"field": "sparse", "query_vector": tokens, "boost": SPARSE_WEIGHT}})
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


MAX_REQUEST_BYTES = 5_000_000
"""Bytes; Elastic recommends 5 to 15 MB, and a passage with its labels takes about one kB."""
Lines = tuple[str, ...]
_log = structlog.get_logger("parley.elasticsearch")


def put_lines(passage: TextPassage, sparse: Mapping[str, float] | None) -> Lines:
    """The lines that write one passage, replacing an earlier one with its key."""
    document: dict[str, Any] = {
        "key": passage.key,
        "document": passage.document,
        "body": " ".join(indexed_terms(passage)) + FILLER,
        "labels": passage.labels,
    }
    if passage.first_second is not None and passage.last_second is not None:
        document |= {"first_second": passage.first_second, "last_second": passage.last_second}
    if sparse:
        document["sparse"] = sparse
    return (_line({"index": {"_id": str(passage.key)}}), _line(document))


def delete_lines(key: int) -> Lines:
    """The line that deletes a passage; harmless if it does not exist."""
    return (_line({"delete": {"_id": str(key)}}),)


def send(server: ElasticsearchServer, index: str, actions: Iterable[Lines], largest: int = MAX_REQUEST_BYTES) -> None:
    """Write everything; on return all of it is on disk, and searchable after a refresh.

    Raises:
        Unavailable: some of it could not be written; retry all of it.
    """
    for request in _requests(actions, largest):
        answer = server.ask_patiently(
            lambda client, lines=request: client.bulk(  # type: ignore[misc]
                index=index,
                operations=lines,
                require_alias=True,
                filter_path=["errors", "items.*.error", "items.*.status"],
            )
        )
        if answer["errors"]:
            failures = [outcome for item in answer["items"] for outcome in item.values() if "error" in outcome]
            _log.error("passages were not written", index=index, count=len(failures), first=failures[0])
            raise Unavailable("ENGINE_UNAVAILABLE", "Elasticsearch did not write all passages.")


def _requests(actions: Iterable[Lines], largest: int) -> Iterator[list[str]]:
    lines: list[str] = []
    size = 0
    for action in actions:
        length = sum(len(line.encode()) + 1 for line in action)
        if lines and size + length > largest:
            yield lines
            lines, size = [], 0
        lines += action
        size += length
    if lines:
        yield lines


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
