"""The requests to Elasticsearch: queries, bounded writes, and learned sparse vectors (ELSER and similar models).

Queries are pure functions; what takes a server blocks.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import structlog

from libs.elastic.server import ElasticsearchServer
from libs.runtime.errors import engine_unavailable
from services.retrieve.corpus.feed import TextPassage
from services.retrieve.corpus.filtering import UNDATED, Admission
from services.retrieve.engines.elasticsearch.index import FILLER
from services.retrieve.search.engine_queries import indexed_terms

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch


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


def admitted(admission: Admission) -> list[Clause]:
    """The clauses for passages whose document meets an admission's conditions; all must hold."""
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
            raise engine_unavailable("Elasticsearch did not write all passages: its log says why.")


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


TEXTS_A_REQUEST = 16
"""An ELSER allocation of one core takes some ten passages a second; larger requests only delay the answer (taste)."""
Tokens = Mapping[str, float]


class SparseEncoder:
    """Weighs the tokens of texts by a learned model."""

    def __init__(self, server: ElasticsearchServer, endpoint: str) -> None:
        """Nothing is called yet; the cluster need not have the inference endpoint, of the task `sparse_embedding`."""
        self._server = server.apart("the inference endpoint")
        self.endpoint = endpoint

    def exists_in_cluster(self) -> bool:
        """Whether the cluster has the endpoint; raises Unavailable if the server does not answer."""
        from elasticsearch import BadRequestError, NotFoundError

        def look(client: "Elasticsearch") -> bool:
            try:
                client.inference.get(inference_id=self.endpoint)
            except (BadRequestError, NotFoundError):  # 400: a cluster without inference
                return False
            return True

        exists = self._server.ask(look)
        if not exists:
            _log.warning("the cluster has no such inference endpoint: BM25 alone scores", endpoint=self.endpoint)
        return exists

    def of_passages(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, in order; raises Unavailable if the endpoint does not answer (in 60 s: taste)."""
        tokens: list[Tokens] = []
        for first in range(0, len(texts), TEXTS_A_REQUEST):
            chunk = list(texts[first : first + TEXTS_A_REQUEST])
            answer = self._server.ask_patiently(
                lambda client, chunk=chunk: client.inference.sparse_embedding(  # type: ignore[misc]
                    inference_id=self.endpoint, input=chunk, timeout="60s"
                )
            )
            tokens += [item["embedding"] for item in answer["sparse_embedding"]]
        return tokens

    def of_query(self, text: str) -> Tokens:
        """The tokens of a query; raises Unavailable if the endpoint does not answer in time."""
        answer = self._server.ask(
            lambda client: client.inference.sparse_embedding(inference_id=self.endpoint, input=text)
        )
        tokens: Tokens = answer["sparse_embedding"][0]["embedding"]
        return tokens
