"""Recordings of turns, in Elasticsearch.

A deleted session leaves a mark. A turn that still runs looks for it after it has stored its recording, and takes the
recording back, so that whichever comes last, nothing is left.
"""

import hashlib
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gateway.store.elastic.indices import AT_ONCE, Indices, bytes_of, text_of
from gateway.store.stores import RecordingBounds, RecordingPart

KIND: Final = "recordings"
PHASES: Final = (1, 2)
EXPIRE_SECONDS: Final = 600.0
"""Least interval between deletions of what is beyond the bounds, unless `expire` is called."""


class ElasticsearchRecordings:
    """A RecordingStore. Every call may raise Unavailable."""

    def __init__(self, indices: Indices, bounds: RecordingBounds) -> None:
        self._indices = indices
        self._bounds = bounds
        self._expire_after = 0.0

    async def put(self, part: RecordingPart) -> None:
        """See RecordingStore."""
        document = {
            "session_id": part.session_id,
            "bytes": len(part.content),
            "started": _milliseconds(part.started),
            "content": text_of(part.content),
        }
        await self._indices.run(lambda: self._put(_part_key(part.turn_id, part.phase), document))

    def _put(self, key: str, document: Mapping[str, Any]) -> None:
        self._indices.put(KIND, key, document)
        mark = self._indices.get(KIND, _mark_key(document["session_id"])) if document["session_id"] else None
        if mark is not None and mark.source["started"] >= document["started"]:
            self._indices.delete(KIND, [key])
        elif time.monotonic() >= self._expire_after:
            self._expire()

    async def parts(self, turn_id: str) -> Sequence[bytes]:
        """See RecordingStore."""
        keys = [_part_key(turn_id, phase) for phase in PHASES]
        documents = await self._indices.run(lambda: self._indices.get_all(KIND, keys))
        sources, oldest = [document.source for document in documents], self._oldest()
        return [bytes_of(source["content"]) for source in sources if source["started"] > oldest]

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See RecordingStore."""
        ids = [session_id for session_id in session_ids if session_id]
        mark = {"bytes": 0, "started": _milliseconds(time.time())}

        def delete() -> None:
            self._indices.put_all(KIND, {_mark_key(session_id): mark for session_id in ids})
            self._indices.delete_matching(KIND, {"terms": {"session_id": ids}})

        if ids:
            await self._indices.run(delete)

    async def expire(self) -> None:
        """See RecordingStore."""
        await self._indices.run(self._expire)

    def _expire(self) -> None:
        self._expire_after = time.monotonic() + EXPIRE_SECONDS
        self._indices.make()
        self._indices.delete_matching(KIND, {"range": {"started": {"lte": self._oldest()}}})
        while (excess := self._size() - self._bounds.max_bytes) > 0 and (keys := self._oldest_keys(excess)):
            self._indices.delete(KIND, keys)
            self._indices.refresh(KIND)

    def _size(self) -> int:
        response = self._indices.search(KIND, size=0, aggregations={"bytes": {"sum": {"field": "bytes"}}})
        return int(response["aggregations"]["bytes"]["value"])

    def _oldest_keys(self, excess: int) -> list[str]:
        """Return the oldest recordings, as many as have `excess` bytes together, within one page of a search."""
        query, order = {"range": {"bytes": {"gt": 0}}}, [{"started": "asc"}]
        response = self._indices.search(KIND, query=query, sort=order, size=AT_ONCE, source_includes=["bytes"])
        keys = []
        for hit in response["hits"]["hits"]:
            if excess > 0:
                keys.append(hit["_id"])
                excess -= hit["_source"]["bytes"]
        return keys

    def _oldest(self) -> int:
        return _milliseconds(time.time() - self._bounds.seconds)


def _part_key(turn_id: str, phase: int) -> str:
    return f"{turn_id}/{phase}"


def _mark_key(session_id: str) -> str:
    """Return the id of the mark that a deleted session leaves."""
    return f"deleted-{hashlib.sha256(session_id.encode()).hexdigest()}"


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
