"""The event log in Elasticsearch, shared by all gateways that name it.

A turn is one document, and each change replaces the copy that was read (checked by sequence number and primary term).
So a change and the check before it are one: a lease is taken over once, and a gateway that lost it cannot append. A
gateway remembers the documents of its running turns, so that an append costs one request. Turns are read by id, which
sees each acknowledged write at once.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from gateway.store.elastic.indices import CREATE, Document, Indices
from gateway.store.elastic.turn_documents import (
    WATCHED,
    Source,
    append_to,
    bytes_of,
    logged_turn,
    may_be_replaced,
    progress_of,
    runs_at,
    source_of,
)
from gateway.store.event_log import Appended, Batch, Lease, LoggedEvent, LoggedTurn, Progress, TurnStart, TurnState

KIND: Final = "events"


@dataclass(slots=True)
class ElasticsearchEventLog:
    """An EventLog; `max_bytes` is how large the events of a turn may be, before they are compressed."""

    indices: Indices
    max_bytes: int
    _own: dict[str, Document] = field(default_factory=dict)
    """The last known documents of the turns that run here, by id."""

    async def begin(self, start: TurnStart, lease: Lease) -> str | None:
        """See EventLog."""
        return await self.indices.run(lambda: self._begin(start, lease))

    async def append(self, turn_id: str, owner: str, batch: Batch) -> Appended:
        """See EventLog."""

        def append(source: Source) -> bool:
            if not runs_at(source, owner):
                return False
            append_to(source, batch, self.max_bytes)
            return True

        source = await self.indices.run(lambda: self._change_own(turn_id, append))
        if batch.ending is not None or source is None:
            self._own.pop(turn_id, None)
        if source is None:
            return Appended.LOST
        return Appended.LOGGED if source["whole"] else Appended.TOO_LARGE

    async def turn(self, turn_id: str) -> LoggedTurn | None:
        """See EventLog."""
        return await self.indices.run(lambda: self._turn(turn_id))

    async def turn_by_retry(self, retry_key: str) -> LoggedTurn | None:
        """See EventLog."""
        return await self.indices.run(lambda: self._turn_by_retry(retry_key))

    async def events(self, turn_id: str, after_seq: int = 0) -> Sequence[LoggedEvent]:
        """See EventLog."""
        document = await self.indices.run(lambda: self.indices.get(KIND, turn_id, ("events",)))
        contents = enumerate(document.source.get("events", ()) if document else (), start=1)
        return [LoggedEvent(seq, bytes_of(content)) for seq, content in contents if seq > after_seq]

    async def progress(self, turn_ids: Collection[str]) -> Mapping[str, Progress]:
        """See EventLog."""
        documents = await self.indices.run(lambda: self.indices.get_all(KIND, list(turn_ids), list(WATCHED)))
        return {document.key: progress_of(document.source) for document in documents}

    async def renew(self, turn_ids: Collection[str], lease: Lease) -> None:
        """See EventLog."""

        def renew(source: Source) -> bool:
            if not runs_at(source, lease.owner):
                return False
            expires = max(source["expires"], lease.until + source["keep_seconds"])
            source.update(lease_until=lease.until, expires=expires)
            return True

        changes = (self.indices.run(partial(self._change_own, turn_id, renew)) for turn_id in turn_ids)
        await asyncio.gather(*changes)

    async def take_over(self, turn_id: str, lease: Lease, now: float) -> bool:
        """See EventLog."""

        def take(source: Source) -> bool:
            if source["state"] != TurnState.RUNNING or source["lease_until"] >= now:
                return False
            source.update(owner=lease.owner, lease_until=lease.until)
            return True

        return await self.indices.run(lambda: self.indices.change(KIND, turn_id, take)) is not None

    async def request_cancel(self, turn_id: str) -> None:
        """See EventLog."""

        def cancel(source: Source) -> bool:
            source["cancel"] = True
            return True

        await self.indices.run(lambda: self.indices.change(KIND, turn_id, cancel))

    async def follow(self, turn_id: str, until: float) -> None:
        """See EventLog."""

        def follow(source: Source) -> bool:
            is_later = bool(source["followed_until"] < until)
            source["followed_until"] = max(source["followed_until"], until)
            return is_later

        await self.indices.run(lambda: self.indices.change(KIND, turn_id, follow))

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See EventLog."""
        if given := list(filter(None, session_ids)):
            await self.indices.run(lambda: self.indices.delete_matching(KIND, {"terms": {"session_id": given}}))

    async def expire(self) -> None:
        """See EventLog."""
        query = {"range": {"expires": {"lte": time.time()}}}
        await self.indices.run(lambda: self.indices.delete_matching(KIND, query))

    def _begin(self, start: TurnStart, lease: Lease) -> str | None:
        document = self.indices.get(KIND, start.turn_id)
        if document is not None and not may_be_replaced(document.source):
            return start.turn_id
        new = self._put(start.turn_id, source_of(start, lease), document)
        if new is None:  # another gateway began it at the same time
            return start.turn_id
        if start.retry_key and (earlier := self._claim_retry(start)) is not None:
            self.indices.delete(KIND, [start.turn_id])
            return earlier
        self._own[start.turn_id] = new
        return None

    def _claim_retry(self, start: TurnStart) -> str | None:
        """Make the turn that of its retry key; return the id of the turn that has the key already, if it stays.

        The turn is written before, so that no other gateway takes the key for one of a turn that is gone.
        """
        key = _retry_id(start.retry_key)
        pointer = {"turn": start.turn_id, "expires": start.begun + 2 * start.keep_seconds}
        while True:
            document = self.indices.get(KIND, key)
            if document is not None and (earlier := document.source["turn"]) != start.turn_id:
                turn = self.indices.get(KIND, earlier, (*WATCHED, "expires"))
                if turn is not None and not may_be_replaced(turn.source):
                    return str(earlier)
            if self._put(key, pointer, document) is not None:
                return None

    def _put(self, key: str, source: Source, replaced: Document | None) -> Document | None:
        """Write a document in place of the copy that was read, or of none; None if another write came first."""
        return self.indices.put(KIND, key, source, **(CREATE if replaced is None else replaced.as_read))

    def _turn_by_retry(self, retry_key: str) -> LoggedTurn | None:
        pointer = self.indices.get(KIND, _retry_id(retry_key)) if retry_key else None
        turn = self._turn(pointer.source["turn"]) if pointer is not None else None
        return turn if turn is not None and turn.start.retry_key == retry_key else None

    def _turn(self, turn_id: str) -> LoggedTurn | None:
        document = self.indices.get(KIND, turn_id)
        if document is None or "state" not in document.source or document.source["expires"] <= time.time():
            return None
        return logged_turn(turn_id, document.source)

    def _change_own(self, turn_id: str, change: Callable[[Source], bool]) -> Source | None:
        """Change a turn that runs here; None if it is gone or `change` returns False for it."""
        document = self.indices.change(KIND, turn_id, change, self._own.get(turn_id))
        if document is None:
            self._own.pop(turn_id, None)
            return None
        self._own[turn_id] = document
        return {**document.source}


def _retry_id(retry_key: str) -> str:
    """Hash a retry key, which may be too long for an id and contains principals."""
    return f"retry-{hashlib.sha256(retry_key.encode()).hexdigest()}"
