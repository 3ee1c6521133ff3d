"""Recordings of turns, as encoded.

A deleted session leaves a mark, a document of the phase 0. A turn that still runs looks for it after it has stored its
recording, and takes the recording back, so that whichever comes last, nothing is left.
"""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gateway.store.tables import Below, OneOf, Order, Storage, Table, Tables, Type, delete_matching, fields_of, types_of

PHASES: Final = (1, 2)
KEEP_SECONDS: Final = 7 * 24 * 3600.0
"""Age at which a recording is deleted: a week, so that what went wrong before a weekend can be replayed after it
(taste)."""
MAX_BYTES: Final = 256 * 1024 * 1024
"""Size of all recordings together, some 5,000 turns over the samples; beyond it the oldest are deleted. Taste."""
OLDEST_AT_ONCE: Final = 100  # recordings looked at per step of a deletion (taste)


@dataclass(frozen=True, slots=True)
class RecordingPart:
    """A recording as it is stored: encoded, with what the store searches by."""

    turn_id: str
    phase: int
    """1 for the question, 2 for the answer; both phases of one stream are stored as 1."""
    session_id: str
    started: float
    """When the phase began, in seconds since the epoch."""
    content: bytes


RECORDINGS: Final = Table(
    "recordings",
    types_of(RecordingPart) | {"bytes": Type.COUNT},
    (("session_id",), ("started",), ("phase", "started", "bytes")),
)


class RecordingStore:
    """Stores recordings, bounded in age and bytes; beyond the bounds the oldest are deleted first.

    Calls may raise Unavailable or Overloaded. Turns that still run when their session is forgotten store nothing.
    """

    def __init__(self, storage: Storage, keep_seconds: float = KEEP_SECONDS, max_bytes: int = MAX_BYTES) -> None:
        self._storage = storage
        self._keep_seconds = keep_seconds
        self._max_bytes = max_bytes

    async def put(self, part: RecordingPart) -> None:
        """Store a part, unless its session was deleted after the part began. It replaces one of the same phase."""
        key = _part_key(part.turn_id, part.phase)
        fields = {**fields_of(part), "bytes": len(part.content)}

        def put(tables: Tables) -> None:
            tables.put(RECORDINGS, {key: fields})
            mark = tables.get(RECORDINGS, _mark_key(part.session_id), ("started",)) if part.session_id else None
            if mark is not None and mark.fields["started"] >= part.started:
                tables.delete(RECORDINGS, (key,))

        await self._storage.write(put)

    async def parts(self, turn_id: str) -> Sequence[bytes]:
        """Return the contents of a turn's parts in the order of their phases; empty if there are none."""
        keys, oldest = [_part_key(turn_id, phase) for phase in PHASES], self._oldest()
        documents = await self._storage.read(lambda tables: tables.get_all(RECORDINGS, keys))
        return [each.fields["content"] for each in documents if each.fields["started"] > oldest]

    async def forget(self, session_ids: Sequence[str]) -> None:
        """Delete the recordings of sessions, also of turns that still run."""
        given = [*filter(None, session_ids)]
        mark = {**fields_of(RecordingPart("", 0, "", time.time(), b"")), "bytes": 0}
        await self._storage.write(lambda tables: tables.put(RECORDINGS, {_mark_key(each): mark for each in given}))
        await delete_matching(self._storage, RECORDINGS, OneOf("session_id", given))

    async def expire(self) -> None:
        """Delete recordings that are too old, and the oldest beyond the limit."""
        await delete_matching(self._storage, RECORDINGS, Below("started", self._oldest()))
        while await self._storage.write(self._delete_excess):
            pass

    def _delete_excess(self, tables: Tables) -> bool:
        """Delete some of the oldest recordings beyond the limit; return whether there may be more."""
        excess = tables.total(RECORDINGS, (), "bytes") - self._max_bytes
        if excess <= 0:
            return False
        oldest_first, keys = Order(("started",)), []
        for each in tables.find(RECORDINGS, (OneOf("phase", PHASES),), OLDEST_AT_ONCE, oldest_first, ("bytes",)):
            if excess > 0:
                keys.append(each.key)
                excess -= each.fields["bytes"]
        tables.delete(RECORDINGS, keys)
        return excess > 0

    def _oldest(self) -> float:
        return time.time() - self._keep_seconds


def _part_key(turn_id: str, phase: int) -> str:
    return f"{turn_id}/{phase}"


def _mark_key(session_id: str) -> str:
    """Return the id of the mark that a deleted session leaves."""
    return f"deleted-{hashlib.sha256(session_id.encode()).hexdigest()}"
