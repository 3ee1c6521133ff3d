"""Full-text search over one collection by Elasticsearch: BM25 over our own stems, and tokens that a model weighs.

Derived from the corpus like every engine. The last applied change is a document of the index itself, written after the
passages: an index that was lost, or reset by a restored snapshot, has an older position and follows again. Scores equal
those of the embedded engine (`services.retrieve.engines.embedded.lexical`). Every call may wait for the server, and
raises Unavailable.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libs.elastic.server import ElasticsearchServer
from libs.runtime.errors import Unavailable, engine_unavailable
from services.retrieve.corpus.feed import TextBatch, TextPassage
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.elasticsearch.index import ServerIndex
from services.retrieve.engines.elasticsearch.requests import (
    SPARSE,
    Clause,
    Lines,
    SparseEncoder,
    Tokens,
    admitted,
    delete_lines,
    of_keys,
    put_lines,
    scored,
    send,
)
from services.retrieve.engines.protocols import UNREADABLE, EngineDefaults, Hits, unreadable

MAX_PAGE_HITS = 10_000  # hits per request; the default of `index.max_result_window`
CHECK_SECONDS = 10.0  # seconds between checks that the index still has its data (taste)
_UNKNOWN = -1
_DOCUMENT = {"docvalue_fields": ["document"]}


class ElasticsearchIndex(EngineDefaults):
    """One collection's index on a server. Searches run concurrently with each other and with one writer."""

    def __init__(self, index: ServerIndex, server: ElasticsearchServer, sparse: SparseEncoder | None) -> None:
        """Open the index, or create an empty one. Raises Unavailable: the server does not answer."""
        self._index = index
        self._server = server
        self._sparse = sparse
        self._outages = server.outages
        self._checked = time.monotonic()
        self._unrefreshed = True
        self._newest = 0
        """No later document has passages in the index."""
        self._sequence = self._followed = 0
        self._reopen()

    @property
    def sequence(self) -> int:
        """The last change that is searchable; -1 after an outage, until the index is checked again."""
        return self._sequence if self._outages == self._server.outages else _UNKNOWN

    @property
    def followed(self) -> int:
        """The last change that was applied."""
        if self.sequence == _UNKNOWN:
            self._reopen()
        return self._followed

    def expanded(self, text: str, stems: Mapping[str, float]) -> Mapping[str, float]:
        """The stems, and the learned tokens of the text if the cluster has such a model."""
        if self._sparse is None or not text.strip():
            return stems
        tokens = self._sparse.of_query(text)
        return {**stems, **{SPARSE + token: weight for token, weight in tokens.items()}}

    def follow(self, batch: TextBatch) -> None:
        """Apply a batch of changes; they are searchable after `commit`."""
        with self._reopen_on_failure():
            present_keys = {passage.key for passage in batch.passages}
            deleted_keys = [key for key in self._keys_of(batch.documents) if key not in present_keys]
            actions = [*map(delete_lines, deleted_keys), *self._puts(batch.passages)]
            self._unrefreshed = True
            self._newest = max(self._newest, *batch.documents)
            send(self._server, self._index.written, actions)
            self._followed = batch.through

    def reread(self) -> None:
        """Read the position anew: another process may have applied changes."""
        self._outages = _UNKNOWN

    def commit(self) -> None:
        """See FollowingEngine. The position is written after the data."""
        if self._followed == self._sequence:
            return
        with self._reopen_on_failure():
            self._index.keep_position(self._followed)
            self._refresh()
            self._sequence = self._followed

    def check(self) -> None:
        """See EngineDefaults."""
        now = time.monotonic()
        if self.sequence == _UNKNOWN or now - self._checked < CHECK_SECONDS:
            return
        self._checked = now
        with suppress(Unavailable):  # on failure the index is checked again anyway
            if self._index.position() < self._sequence:
                self._outages = _UNKNOWN

    def destroy(self) -> None:
        """Delete the index."""
        self._index.delete()

    def search(self, terms: Mapping[str, float], limit: int, access: Access) -> Hits:
        """See SearchEngine."""
        if not terms:
            return Hits(np.zeros(0, np.int64), np.zeros(0), others=0.0)
        conditions = admitted(access.admission(any_restricted=True))
        return self._run(terms, conditions, min(limit, MAX_PAGE_HITS))

    def scores(self, terms: Mapping[str, float], keys: NDArray[np.int64], access: Access) -> NDArray[np.float64]:
        """See SearchEngine."""
        if not terms or not len(keys):
            return np.zeros(len(keys))
        scores_by_key: dict[int, float] = {}
        for first in range(0, len(keys), MAX_PAGE_HITS):
            chunk = keys[first : first + MAX_PAGE_HITS].tolist()
            hits = self._run(terms, [of_keys(chunk)], len(chunk))
            scores_by_key.update(zip(hits.keys.tolist(), hits.scores.tolist(), strict=True))
        return np.array([scores_by_key.get(key, 0.0) for key in keys.tolist()])

    def document_frequencies(self, terms: Iterable[str], access: Access) -> Mapping[str, int]:
        """See LexicalEngine."""
        filters = {term: {"term": {"body": term}} for term in terms}
        if not filters:
            return {}
        aggregation = {"stems": {"filters": {"filters": filters}}}
        with self._reopen_on_failure():
            answer = self._server.ask(
                lambda client: client.search(index=self._index.name, size=0, aggs=aggregation, preference="parley")
            )
            buckets = answer["aggregations"]["stems"]["buckets"]
            return {term: buckets[term]["doc_count"] for term in filters}

    def _run(self, terms: Mapping[str, float], conditions: Sequence[Clause], limit: int) -> Hits:
        query = scored(terms)
        body = {"bool": {"must": [query], "filter": list(conditions)}} if conditions else query
        with self._reopen_on_failure():
            hits = self._page(body, limit)
            keys = np.array([hit["fields"]["key"][0] for hit in hits], np.int64)
            scores = np.array([hit["_score"] for hit in hits], np.float64)
        return Hits(keys, scores, others=0.0 if len(hits) < limit else None)

    def _page(self, query: Clause, size: int, **options: Any) -> Sequence[Mapping[str, Any]]:
        """Hits with only key and score; all from the same copy of the index, so that scores are consistent."""
        answer: Any = self._server.ask(
            lambda client: client.search(
                index=self._index.name,
                query=query,
                size=size,
                source=False,
                stored_fields="_none_",
                track_total_hits=False,
                search_type="dfs_query_then_fetch" if self._index.shape.shards > 1 else None,
                preference="parley",
                filter_path=["timed_out", "hits.hits._score", "hits.hits.fields"],
                **{"docvalue_fields": ["key"], **options},
            )
        )
        if "timed_out" not in answer:  # without hits nothing else comes
            raise KeyError("timed_out")
        hits: Sequence[Mapping[str, Any]] = answer.get("hits", {}).get("hits", [])
        return hits

    @contextmanager
    def _reopen_on_failure(self) -> Iterator[None]:
        """Mark the index as unchecked if the block fails, so that it is reopened before further use."""
        from elasticsearch import ConflictError, NotFoundError

        try:
            yield
        except (NotFoundError, ConflictError) as error:
            self._outages = _UNKNOWN
            raise engine_unavailable("The index was deleted and is made anew: try again in a moment.") from error
        except UNREADABLE as error:
            self._outages = _UNKNOWN
            raise unreadable("Elasticsearch", error) from error
        except Unavailable:
            self._outages = _UNKNOWN
            raise

    def _keys_of(self, documents: Sequence[int]) -> list[int]:
        """The keys of the passages that these documents have in the index."""
        indexed = [document for document in documents if document <= self._newest]
        if not indexed:
            return []
        if self._unrefreshed:
            self._refresh()
        keys: list[int] = []
        query = {"terms": {"document": indexed}}
        while True:
            after = {"search_after": [keys[-1]]} if keys else {}
            hits = self._page(query, MAX_PAGE_HITS, sort=[{"key": "asc"}], **after)
            keys += [hit["fields"]["key"][0] for hit in hits]
            if len(hits) < MAX_PAGE_HITS:
                return keys

    def _puts(self, passages: Sequence[TextPassage]) -> Sequence[Lines]:
        tokens: Sequence[Tokens | None] = [None] * len(passages)
        if self._sparse is not None:
            tokens = self._sparse.of_passages([f"{passage.place}\n{passage.text}" for passage in passages])
        return [put_lines(*pair) for pair in zip(passages, tokens, strict=True)]

    def _refresh(self) -> None:
        self._server.ask_patiently(lambda client: client.indices.refresh(index=self._index.name))
        self._unrefreshed = False

    def _reopen(self) -> None:
        outages = self._server.outages
        with self._reopen_on_failure():
            self._sequence = self._followed = self._index.open()
            self._refresh()  # an earlier process may have written without a refresh
            latest = self._page({"exists": {"field": "document"}}, 1, sort=[{"document": "desc"}], **_DOCUMENT)
        self._newest = max([self._newest, *(hit["fields"]["document"][0] for hit in latest)])
        self._outages = outages
