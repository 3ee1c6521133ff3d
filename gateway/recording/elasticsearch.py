"""The recordings in an Elasticsearch that several gateways share.

A deleted session leaves a mark. A turn that still runs looks for it after it has stored its recording, and takes the
recording back, so that whichever comes last, nothing is left.
"""

import asyncio
import base64
import hashlib
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gateway.recording.bounds import RecordingBounds
from gateway.recording.recordings import RecordingPart
from libs.elastic.server import ElasticsearchServer, elasticsearch_server
from libs.elastic.settings import ElasticsearchSettings

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

T = TypeVar("T")

MAPPINGS: Final = {
    "dynamic": "strict",
    "properties": {
        "turn_id": {"type": "keyword"},
        "session_id": {"type": "keyword"},
        "phase": {"type": "byte", "index": False},
        "bytes": {"type": "long", "index": False},
        "started": {"type": "date", "format": "epoch_millis"},
        "content": {"type": "binary"},
    },
}
PHASES: Final = (1, 2)
EXPIRE_SECONDS: Final = 600.0
"""Least interval between deletions of what is beyond the bounds."""
DELETED_AT_ONCE: Final = 1000


class ElasticsearchRecordings:
    """A RecordingStore, created by `elasticsearch_recordings`. Every call may raise Unavailable."""

    def __init__(
        self,
        server: ElasticsearchServer,
        settings: ElasticsearchSettings,
        threads: ThreadPoolExecutor,
        bounds: RecordingBounds,
    ) -> None:
        self._server = server
        self._settings = settings
        self._threads = threads
        self._bounds = bounds
        self._index = f"{settings.prefix}-recordings"
        self._index_exists = False
        self._expire_after = 0.0

    async def put(self, part: RecordingPart) -> None:
        """See RecordingStore."""
        document = {
            "turn_id": part.turn_id,
            "session_id": part.session_id,
            "phase": part.phase,
            "bytes": len(part.content),
            "started": _milliseconds(part.started),
            "content": base64.b64encode(part.content).decode(),
        }
        document_id = _part_id(part.turn_id, part.phase)

        def put() -> None:
            self._make_index()
            self._server.ask(lambda client: client.index(index=self._index, id=document_id, document=document))
            mark = self._source(_mark_id(part.session_id)) if part.session_id else None
            if mark is not None and mark["started"] >= document["started"]:
                self._delete({"ids": {"values": [document_id]}})
            elif time.monotonic() >= self._expire_after:
                self._expire()

        await self._run(put)

    async def parts(self, turn_id: str) -> tuple[bytes, ...]:
        """See RecordingStore."""

        def find() -> tuple[bytes, ...]:
            sources = [self._source(_part_id(turn_id, phase)) for phase in PHASES]
            oldest = self._oldest()
            fresh = [source for source in sources if source is not None and source["started"] > oldest]
            return tuple(base64.b64decode(source["content"]) for source in fresh)

        return await self._run(find)

    async def delete_session(self, session_id: str) -> None:
        """See RecordingStore."""
        mark = {"bytes": 0, "started": _milliseconds(time.time())}

        def delete() -> None:
            self._make_index()
            self._server.ask(lambda client: client.index(index=self._index, id=_mark_id(session_id), document=mark))
            self._server.ask_patiently(lambda client: client.indices.refresh(index=self._index))
            self._delete({"term": {"session_id": session_id}})

        if session_id:
            await self._run(delete)

    async def expire(self) -> None:
        """See RecordingStore."""
        await self._run(self._expire)

    def _expire(self) -> None:
        self._expire_after = time.monotonic() + EXPIRE_SECONDS
        self._make_index()
        self._server.ask_patiently(lambda client: client.indices.refresh(index=self._index))
        self._delete({"range": {"started": {"lte": self._oldest()}}})
        total = {"bytes": {"sum": {"field": "bytes"}}}
        response = self._server.ask_patiently(lambda client: client.search(index=self._index, size=0, aggs=total))
        self._delete_excess(int(response["aggregations"]["bytes"]["value"]) - self._bounds.most_bytes)

    def _delete_excess(self, excess: int) -> None:
        """Delete the oldest recordings until `excess` bytes are gone."""
        while excess > 0:
            response = self._server.ask_patiently(
                lambda client: client.search(
                    index=self._index,
                    query={"range": {"bytes": {"gt": 0}}},
                    sort=[{"started": "asc"}],
                    size=DELETED_AT_ONCE,
                    source_includes=["bytes"],
                )
            )
            operations = []
            for hit in response["hits"]["hits"]:
                if excess > 0:
                    operations.append({"delete": {"_id": hit["_id"]}})
                    excess -= hit["_source"]["bytes"]
            if not operations:
                return
            self._server.ask_patiently(
                lambda client, operations=operations: client.bulk(  # type: ignore[misc]
                    index=self._index, operations=operations, refresh=True
                )
            )

    def _delete(self, query: Mapping[str, Any]) -> None:
        self._server.ask_patiently(
            lambda client: client.delete_by_query(
                index=self._index, query=query, conflicts="proceed", refresh=True, ignore_unavailable=True
            )
        )

    def _source(self, document_id: str) -> Mapping[str, Any] | None:
        from elasticsearch import NotFoundError

        try:
            document: Any = self._server.ask(lambda client: client.get(index=self._index, id=document_id))
        except NotFoundError:
            return None
        source: Mapping[str, Any] = document["_source"]
        return source

    def _make_index(self) -> None:
        if not self._index_exists:
            self._server.ask_patiently(self._make)
            self._index_exists = True

    def _make(self, client: "Elasticsearch") -> None:
        from elasticsearch import BadRequestError

        if client.indices.exists(index=self._index):
            return
        settings = {"number_of_shards": self._settings.shards, "auto_expand_replicas": self._settings.replicas}
        try:
            client.indices.create(index=self._index, settings=settings, mappings=MAPPINGS)
        except BadRequestError:  # another gateway created it first
            if not client.indices.exists(index=self._index):
                raise

    def _oldest(self) -> int:
        return _milliseconds(time.time() - self._bounds.seconds)

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


@asynccontextmanager
async def elasticsearch_recordings(
    settings: ElasticsearchSettings, bounds: RecordingBounds
) -> AsyncIterator[ElasticsearchRecordings]:
    """Open the recordings and close them at the end; no request is sent yet, so the server may be down.

    Raises:
        ValueError: the URL is invalid.
    """
    with (
        elasticsearch_server(settings) as server,
        ThreadPoolExecutor(settings.connections, thread_name_prefix="recordings") as threads,
    ):
        yield ElasticsearchRecordings(server, settings, threads, bounds)


def _part_id(turn_id: str, phase: int) -> str:
    return f"{turn_id}-{phase}"


def _mark_id(session_id: str) -> str:
    """Return the id of the mark that a deleted session leaves; no turn's id begins so."""
    return f"deleted-{hashlib.sha256(session_id.encode()).hexdigest()}"


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
