"""The event log: what a running turn has sent, and the request with which another gateway restarts it.

A turn belongs to the gateway that holds its lease; only that gateway may append to it. The lease of a gateway that went
down runs out, and exactly one other gateway takes it over. An ended turn keeps its events until it expires; its request
goes when it ends.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from gateway.store.kept_bytes import KeptBytes, delete_gone
from gateway.store.logged_turns import (
    TURNS,
    Appended,
    Batch,
    Lease,
    LoggedTurn,
    Progress,
    TurnStart,
    TurnState,
    changes_of,
    fields_of_start,
    logged_turn,
    may_be_replaced,
    progress_of,
    runs_at,
    unpack,
)
from gateway.store.retries import RETRIES, Retry, retry_id
from gateway.store.tables import Below, Change, Fields, OneOf, Storage, Tables, delete_matching, fields_of
from libs.runtime.errors import DataLoss, Overloaded, engine_unavailable

T = TypeVar("T")

EVENT_LOG_BYTES: Final = 16 * 1024 * 1024
"""Limit of a turn's logged events: twice the largest event, a `completed` whose context the client carries."""
KIND: Final = "turn"


class EventLog:
    """Logs the events of turns. Every call may raise Unavailable."""

    def __init__(self, storage: Storage, max_bytes: int = EVENT_LOG_BYTES, kept: KeptBytes | None = None) -> None:
        """`max_bytes` is how large the events of a turn may be, before they are compressed."""
        self._storage = storage
        self._kept = kept or KeptBytes()
        self._max_bytes = max_bytes
        self._own: dict[str, Any] = {}
        """The turns that run here, as the storage remembers them."""

    async def begin(self, start: TurnStart, lease: Lease) -> str | None:
        """Log a new turn; it is durable when this returns.

        Returns:
            None. If an earlier turn has the same id or the same retry key: the id of that turn, which stays; but a turn
            that may be repeated is replaced.
        """
        return await self._write(partial(_begin, start, lease))

    async def append(self, turn_id: str, owner: str, batch: Batch) -> Appended:
        """Log a batch at once; it is durable when this returns. An ending drops the request."""

        def append(fields: Fields) -> Fields | None:
            return changes_of(fields, batch, self._max_bytes) if runs_at(fields, owner) else None

        fields = await self._change(turn_id, append, self._own)
        if batch.ending is not None or fields is None:
            self._own.pop(turn_id, None)
        if fields is None:
            return Appended.LOST
        size = fields["is_whole"] * fields["size"]
        if batch.ending is not None and (gone := self._kept.keep(TURNS, turn_id, size, fields["expires"])):
            await self._write(partial(delete_gone, gone))
        return Appended.LOGGED if fields["is_whole"] else Appended.TOO_LARGE

    async def turn(self, turn_id: str) -> LoggedTurn | None:
        """Return a turn, or None if it is unknown or expired."""
        return await self._storage.read(partial(_turn, turn_id))

    async def turn_by_retry(self, retry_key: str) -> LoggedTurn | None:
        """Return the turn with that retry key, or None."""

        def find(tables: Tables) -> LoggedTurn | None:
            pointer = tables.get(RETRIES, retry_id(KIND, retry_key))
            turn = None if pointer is None else _turn(pointer.fields["target"], tables)
            return turn if turn is not None and turn.start.retry_key == retry_key else None

        return await self._storage.read(find) if retry_key else None

    async def events(self, turn_id: str, after_seq: int = 0) -> Sequence[bytes]:
        """Return the logged events after `after_seq`, encoded, in order."""
        return [*map(unpack, await self._storage.read(lambda tables: tables.entries(TURNS, turn_id, after_seq)))]

    async def progress(self, turn_ids: Collection[str]) -> Mapping[str, Progress]:
        """Return the progress of those turns that exist."""
        documents = await self._storage.read(lambda tables: tables.get_all(TURNS, turn_ids, TURNS.small))
        return {document.key: progress_of(document.fields) for document in documents}

    async def renew(self, turn_ids: Collection[str], lease: Lease) -> None:
        """Extend the leases of those running turns that belong to the lease's owner."""

        def renew(fields: Fields) -> Fields | None:
            expires = max(fields["expires"], lease.until + fields["keep_seconds"])
            return {"until": lease.until, "expires": expires} if runs_at(fields, lease.owner) else None

        await asyncio.gather(*(self._change(turn_id, renew, self._own) for turn_id in turn_ids))

    async def take_over(self, turn_id: str, lease: Lease, now: float) -> bool:
        """Take over a running turn whose lease ran out before `now`; of several that try, one gets True."""

        def take(fields: Fields) -> Fields | None:
            is_free = fields["state"] == TurnState.RUNNING and fields["until"] < now
            return fields_of(lease) if is_free else None

        return await self._change(turn_id, take) is not None

    async def request_cancel(self, turn_id: str) -> None:
        """Ask the gateway that runs the turn to cancel it."""
        await self._change(turn_id, lambda _: {"is_cancel_requested": True})

    async def follow(self, turn_id: str, until: float) -> None:
        """Tell the gateway that runs the turn that a client of another gateway follows it."""
        await self._change(
            turn_id, lambda fields: {"followed_until": until} if fields["followed_until"] < until else None
        )

    async def drop(self, turn_id: str) -> None:
        """Delete a turn; its retry key is free."""
        await self._write(lambda tables: tables.delete(TURNS, (turn_id,)))

    async def forget(self, session_ids: Sequence[str]) -> None:
        """Delete the turns and retry keys of sessions."""
        for table in (TURNS, RETRIES):
            await delete_matching(self._storage, table, OneOf("session_id", [*filter(None, session_ids)]))

    async def expire(self) -> None:
        """Delete the turns and retry keys whose time is over."""
        for table in (TURNS, RETRIES):
            await delete_matching(self._storage, table, Below("expires", time.time()))
        await self._storage.shrink()

    async def _change(self, turn_id: str, change: Change, known: dict[str, Any] | None = None) -> Fields | None:
        return await self._write(lambda tables: tables.change(TURNS, turn_id, change, known))

    async def _write(self, work: Callable[[Tables], T]) -> T:
        try:
            return await self._storage.write(work)
        except (Overloaded, DataLoss) as error:  # the turn goes on without its log, as if the storage were down
            raise engine_unavailable("The event log cannot be used: the gateway's log says why.") from error


def _begin(start: TurnStart, lease: Lease, tables: Tables) -> str | None:
    turn_id, fields = start.turn_id, fields_of_start(start, lease)
    earlier = tables.get(TURNS, turn_id, TURNS.small)
    if earlier is not None and not may_be_replaced(earlier.fields):
        return turn_id
    if not tables.replace(TURNS, turn_id, earlier, fields):
        return turn_id  # another gateway began it at the same time
    if start.retry_key and (other := _claim_retry(start, tables)) is not None:
        tables.delete(TURNS, (turn_id,))
        return other
    return None


def _claim_retry(start: TurnStart, tables: Tables) -> str | None:
    """Make the turn that of its retry key; return the id of the turn that has the key already, if it stays.

    The turn is written before, so that no other gateway takes the key for one of a turn that is gone.
    """
    key = retry_id(KIND, start.retry_key)
    expires = start.begun + 2 * start.keep_seconds  # after the turn's log, unless the turn ran for `keep_seconds`
    retry = fields_of(Retry(start.turn_id, start.session_id, expires))
    while True:
        document = tables.get(RETRIES, key)
        earlier = document.fields["target"] if document else start.turn_id
        if earlier != start.turn_id:
            turn = tables.get(TURNS, earlier, TURNS.small)
            if turn is not None and not may_be_replaced(turn.fields):
                return str(earlier)
        if tables.replace(RETRIES, key, document, retry):
            return None


def _turn(turn_id: str, tables: Tables) -> LoggedTurn | None:
    document = tables.get(TURNS, turn_id)
    is_kept = document is not None and document.fields["expires"] > time.time()
    return logged_turn(document.fields) if document is not None and is_kept else None
