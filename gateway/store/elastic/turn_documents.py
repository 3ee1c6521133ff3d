"""The documents in which the event log keeps turns in Elasticsearch."""

import base64
import time
from collections.abc import Mapping
from typing import Any, Final

from gateway.store.event_log import Batch, Lease, LoggedTurn, Progress, TurnStart, TurnState, pack, unpack

Source = dict[str, Any]

_UNSEARCHED: Final = {"type": "keyword", "index": False, "doc_values": False}
_NUMBER: Final = {"type": "double", "index": False, "doc_values": False}
_COUNT: Final = {"type": "long", "index": False, "doc_values": False}
_FLAG: Final = {"type": "boolean", "index": False, "doc_values": False}
FIELDS: Final = {
    "turn": _UNSEARCHED,
    "request": {"type": "binary"},
    "session_id": {"type": "keyword"},
    "principals": _UNSEARCHED,
    "retry_key": _UNSEARCHED,
    "fingerprint": _UNSEARCHED,
    "begun": _NUMBER,
    "keep_seconds": _NUMBER,
    "owner": _UNSEARCHED,
    "lease_until": _NUMBER,
    "last_seq": _COUNT,
    "state": _UNSEARCHED,
    "cancel": _FLAG,
    "followed_until": _NUMBER,
    "error": {"type": "binary"},
    "size": _COUNT,
    "whole": _FLAG,
    "expires": {"type": "double"},
    "events": {"type": "binary"},
}
WATCHED: Final = ("owner", "lease_until", "last_seq", "state", "cancel", "followed_until", "whole")
"""The fields of a turn's progress."""


def source_of(start: TurnStart, lease: Lease) -> Source:
    """Return the document of a turn that begins."""
    return {
        "request": text_of(start.request),
        "session_id": start.session_id,
        "principals": list(start.principals),
        "retry_key": start.retry_key,
        "fingerprint": start.fingerprint,
        "begun": start.begun,
        "keep_seconds": start.keep_seconds,
        "owner": lease.owner,
        "lease_until": lease.until,
        "last_seq": 0,
        "state": TurnState.RUNNING.value,
        "cancel": False,
        "followed_until": 0.0,
        "error": "",
        "size": 0,
        "whole": True,
        "expires": lease.until + start.keep_seconds,
        "events": [],
    }


def append_to(source: Source, batch: Batch, max_bytes: int) -> None:
    """Append a batch to a document."""
    source["size"] += batch.size
    source["whole"] = source["whole"] and source["size"] <= max_bytes
    if batch.events:
        source["last_seq"] = batch.events[-1].seq
    if source["whole"]:
        source["events"] = [*source["events"], *(text_of(event.content) for event in batch.events)]
    else:
        source["events"] = []
    if batch.ending is not None:
        expires = time.time() + source["keep_seconds"]
        state, error = batch.ending.state.value, text_of(batch.ending.error)
        source.update(state=state, error=error, request=text_of(b""), expires=expires)


def runs_at(source: Source, owner: str) -> bool:
    """Whether the turn is running, and belongs to this gateway."""
    return bool(source["owner"] == owner and source["state"] == TurnState.RUNNING)


def may_be_replaced(source: Mapping[str, Any]) -> bool:
    """Whether a turn with the same retry key may take the place of this one."""
    return TurnState(source["state"]).may_be_repeated or source["expires"] <= time.time()


def progress_of(source: Mapping[str, Any]) -> Progress:
    """Return the progress that a document shows."""
    owner, until, last_seq, state, cancel, followed_until, whole = (source[name] for name in WATCHED)
    return Progress(Lease(owner, until), last_seq, TurnState(state), cancel, followed_until, whole)


def logged_turn(turn_id: str, source: Mapping[str, Any]) -> LoggedTurn:
    """Return the turn of a document."""
    start = TurnStart(
        turn_id,
        bytes_of(source["request"]),
        source["session_id"],
        tuple(source["principals"]),
        source["retry_key"],
        source["fingerprint"],
        source["begun"],
        source["keep_seconds"],
    )
    error = bytes_of(source["error"]) if source["error"] else b""
    return LoggedTurn(start, progress_of(source), error)


def text_of(content: bytes) -> str:
    """Return the content as a field's value."""
    return base64.b64encode(pack(content)).decode()


def bytes_of(text: str) -> bytes:
    """Return the content of a field."""
    return unpack(base64.b64decode(text))
