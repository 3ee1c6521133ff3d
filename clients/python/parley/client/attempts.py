"""Decides what becomes of a turn whose call failed: it is resumed, asked again, or lost. Knows no channel."""

import random
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import grpc

from parley.gateway.v1 import event_pb2, gateway_pb2

PATIENCE: Final = 15.0
"""Seconds for which a turn is resumed without a further event, or asked again; a stage takes two to three seconds to
restart, and a gateway's turns are taken over after five."""
FIRST_PAUSE: Final = 0.1  # taste, as the four below
MAX_PAUSE: Final = 2.0
"""Seconds before a turn is resumed, doubled with each attempt."""
PAUSE: Final = 0.5
"""Seconds before a turn is asked again where the suite names no time."""
SPREAD: Final = 1.25
"""Greatest factor by which a named time is drawn out, so that callers do not come back all at once."""
CANCEL_SECONDS: Final = 2.0
"""Greatest time of telling the suite that the user cancelled."""
PUSHBACK_KEY: Final = "grpc-retry-pushback-ms"
"""Trailer by which the suite names the time after which a failed call may succeed."""
DETAILS_KEY: Final = "grpc-status-details-bin"
"""Trailer of every failure that the suite tells; one without it is the connection's."""
_SHOWN = frozenset({"references", "text", "text_end", "completed"})
"""Events after which a turn is not asked again: they belong to an answer that the caller may have shown."""
_BROKEN = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.INTERNAL})
"""Codes of a connection that broke, and of a gateway that stops."""
_LATER = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})
"""Codes of calls that may succeed later, if the suite names a time."""


class Method(Enum):
    """How a turn is continued."""

    RESUME = "Resume"
    ASK = "Ask"


@dataclass(frozen=True, slots=True)
class NextCall:
    """The call that continues a turn."""

    method: Method
    request: gateway_pb2.AskRequest | gateway_pb2.ResumeRequest
    pause: float
    """Seconds to wait before it."""


def resumable(request: gateway_pb2.AskRequest) -> gateway_pb2.AskRequest:
    """A copy of the request that can be resumed and asked again."""
    turn = gateway_pb2.AskRequest()
    turn.CopyFrom(request)
    turn.request_id = turn.request_id or secrets.token_hex(16)  # bytes, as a UUID has
    turn.options.resumable = True
    return turn


@dataclass(slots=True)
class Attempts:
    """One turn over all its calls."""

    request: gateway_pb2.AskRequest
    """A resumable one."""
    patience: float = PATIENCE
    turn_id: str = ""
    seq: int = 0
    """The last event that came."""
    _is_shown: bool = False
    """Whether something of an answer came."""
    _is_complete: bool = False
    _has_answered: bool = False
    """Whether any event came in the last call."""
    _is_resumed: bool = False
    """Whether the last call resumed the turn."""
    _fails_since: float | None = None
    _breaks: int = 0
    """Broken calls since the last event that a resumed one brought."""

    def is_new(self, event: event_pb2.Event) -> bool:
        """Note an event; false if the caller has it already."""
        self._has_answered = True
        if event.turn_id and event.turn_id == self.turn_id and event.seq <= self.seq:
            return False
        self.turn_id, self.seq = event.turn_id, event.seq
        self._is_shown = self._is_shown or event.WhichOneof("event") in _SHOWN
        self._is_complete = event.WhichOneof("event") == "completed"
        if self._is_resumed:
            self._fails_since, self._breaks = None, 0
        return True

    def next_call(self, error: Any) -> NextCall | None:
        """The call that continues the turn after this failure; None if the turn is lost."""
        now = time.monotonic()
        self._fails_since = now if self._fails_since is None else self._fails_since
        trailers: dict[str, Any] = dict(error.trailing_metadata() or ())
        self._is_resumed = self._can_resume(error, trailers)
        pause = self._pause(error, trailers)
        self._has_answered = False
        if pause is None or now + pause > self._fails_since + self.patience:
            return None
        if not self._is_resumed:
            return NextCall(Method.ASK, self.request, pause)
        return NextCall(Method.RESUME, gateway_pb2.ResumeRequest(turn_id=self.turn_id, after_seq=self.seq), pause)

    def cancellation(self) -> gateway_pb2.CancelRequest | None:
        """Tells the suite that nobody wants the turn any more; None if it never began, or has ended."""
        runs = self.turn_id and not self._is_complete
        return gateway_pb2.CancelRequest(turn_id=self.turn_id) if runs else None

    def _can_resume(self, error: Any, trailers: dict[str, Any]) -> bool:
        is_broken = error.code() in _BROKEN and not {DETAILS_KEY, PUSHBACK_KEY} & trailers.keys()
        return bool(self.turn_id) and is_broken

    def _pause(self, error: Any, trailers: dict[str, Any]) -> float | None:
        if self._is_resumed:
            self._breaks += 1
            return min(FIRST_PAUSE * 2.0 ** (self._breaks - 1), MAX_PAUSE)
        return None if self._is_shown else _pause_before_retry(error, trailers, self._has_answered)


def _pause_before_retry(error: Any, trailers: Mapping[str, str], was_answered: bool) -> float | None:
    """Seconds after which a failed turn may succeed; None if the suite names no time, and if no gateway answered.

    A gateway that stops cancels calls that it has accepted but not begun.
    """
    if error.code() is grpc.StatusCode.CANCELLED and DETAILS_KEY not in trailers:
        return PAUSE
    if error.code() in _LATER and PUSHBACK_KEY in trailers:
        seconds = int(trailers[PUSHBACK_KEY]) / 1000
        return seconds * random.uniform(1, SPREAD) if seconds >= 0 else None
    return PAUSE if was_answered and error.code() is grpc.StatusCode.UNAVAILABLE else None
