"""Asks turns that outlast a broken connection, the restart of a gateway or a stage, and a busy suite."""

import random
import secrets
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import grpc

from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc

PATIENCE = 15.0
"""Seconds for which a turn is resumed without a further event, or asked again; a stage takes two to three seconds to
restart, and a gateway's turns are taken over after five."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds before a turn is resumed, doubled with each attempt."""
PAUSE = 0.5
"""Seconds before a turn is asked again where the suite names no time."""
SPREAD = 1.25
"""Greatest factor by which a named time is drawn out, so that callers do not come back all at once."""
CANCEL_SECONDS = 2.0
"""Greatest time of telling the suite that the user cancelled."""
_PUSHBACK_KEY = "grpc-retry-pushback-ms"
"""Trailer by which the suite names the time after which a failed call may succeed."""
_DETAILS_KEY = "grpc-status-details-bin"
"""Trailer of every failure that the suite tells; one without it is the connection's."""
_SHOWN = frozenset({"references", "text", "text_end", "completed"})
"""Events after which a turn is not asked again: they belong to an answer that the caller may have shown."""
_BROKEN = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.INTERNAL})
"""Codes of a connection that broke, and of a gateway that stops."""
_LATER = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})
"""Codes of calls that may succeed later, if the suite names a time."""

Metadata = tuple[tuple[str, str | bytes], ...]


def ask(
    stub: gateway_pb2_grpc.GatewayServiceStub,
    request: gateway_pb2.AskRequest,
    *,
    seconds: float | None = None,
    metadata: Metadata = (),
    patience: float = PATIENCE,
) -> Generator[gateway_pb2.AskResponse, None, None]:
    """Ask a turn and yield its events, each once.

    If the connection breaks, the turn is resumed, at any gateway that can be reached. If the turn fails because a stage
    restarts or the suite has too many turns, it is asked again by the same request_id, as long as nothing of an answer
    has been yielded; the events of the new attempt have another turn_id, and hold in place of those before. Closing the
    generator, or an interrupt, cancels the turn.

    Args:
        stub: of a channel to the gateways.
        request: the turn; one without a request_id is given one.
        seconds: the greatest time of one attempt; None: the suite's own limit.
        metadata: sent with each call.
        patience: seconds for which a turn is resumed without a further event, or asked again.

    Raises:
        grpc.RpcError: the turn failed, or what it needs stayed away.
    """
    turn = _Turn(stub, _resumable(request), seconds, metadata, patience)
    try:
        yield from turn.responses()
    except grpc.RpcError:
        raise
    except BaseException:  # the caller does not want the rest
        turn.cancel()
        raise


def _resumable(request: gateway_pb2.AskRequest) -> gateway_pb2.AskRequest:
    turn = gateway_pb2.AskRequest()
    turn.CopyFrom(request)
    turn.request_id = turn.request_id or secrets.token_hex(16)
    turn.options.resumable = True
    return turn


@dataclass(slots=True)
class _Turn:
    """One turn over all its connections."""

    stub: gateway_pb2_grpc.GatewayServiceStub
    request: gateway_pb2.AskRequest
    seconds: float | None
    metadata: Metadata
    patience: float
    turn_id: str = ""
    seq: int = 0
    """The last event that came."""
    is_shown: bool = False
    """Whether something of an answer came."""
    has_answered: bool = False
    """Whether any event came in the last connection."""
    is_resumed: bool = False
    """Whether the last connection resumed the turn."""
    fails_since: float | None = None
    attempts: int = 0
    """Connections since the last event that a resumed one brought."""

    def responses(self) -> Iterator[gateway_pb2.AskResponse]:
        """Yield the events of all connections."""
        call: Any = self.stub.Ask(self.request, timeout=self.seconds, metadata=self.metadata)
        while True:
            try:
                self.has_answered = False
                for response in call:
                    self.has_answered = True
                    if self._is_new(response.event):
                        yield gateway_pb2.AskResponse(event=response.event)
                return
            except grpc.RpcError as error:
                self.is_resumed, pause = self._next_attempt(error)
                if pause is None:
                    raise
            finally:
                call.cancel()
            time.sleep(pause)
            call = self._resume() if self.is_resumed else self._ask_again()

    def cancel(self) -> None:
        """Tell the suite that nobody wants the turn any more."""
        if self.turn_id:
            request = gateway_pb2.CancelRequest(turn_id=self.turn_id)
            with suppress(grpc.RpcError):
                self.stub.Cancel(request, timeout=CANCEL_SECONDS, metadata=self.metadata)

    def _is_new(self, event: event_pb2.Event) -> bool:
        if event.turn_id and event.turn_id == self.turn_id and event.seq <= self.seq:
            return False
        self.turn_id, self.seq = event.turn_id, event.seq
        self.is_shown = self.is_shown or event.WhichOneof("event") in _SHOWN
        if self.is_resumed:
            self.fails_since, self.attempts = None, 0
        return True

    def _next_attempt(self, error: Any) -> tuple[bool, float | None]:
        """Return whether the turn is resumed, or else asked again, and after how many seconds; None if it failed."""
        now = time.monotonic()
        self.fails_since = now if self.fails_since is None else self.fails_since
        trailers = dict(error.trailing_metadata() or ())
        resumes = bool(self.turn_id) and error.code() in _BROKEN and _DETAILS_KEY not in trailers
        resumes = resumes and _PUSHBACK_KEY not in trailers
        if resumes:
            pause: float | None = min(FIRST_PAUSE * 2**self.attempts, LONGEST_PAUSE)
            self.attempts += 1
        else:
            pause = None if self.is_shown else _pause_before_retry(error, trailers, self.has_answered)
        return resumes, None if pause is None or now + pause > self.fails_since + self.patience else pause

    def _resume(self) -> Any:
        request = gateway_pb2.ResumeRequest(turn_id=self.turn_id, after_seq=self.seq)
        return self.stub.Resume(request, timeout=self.seconds, metadata=self.metadata)

    def _ask_again(self) -> Any:
        return self.stub.Ask(self.request, timeout=self.seconds, metadata=self.metadata)


def _pause_before_retry(error: Any, trailers: dict[str, Any], was_answered: bool) -> float | None:
    """Seconds after which a failed turn may succeed; None if the suite names no time, and if no gateway answered.

    A gateway that stops cancels calls that it has accepted but not begun.
    """
    if error.code() is grpc.StatusCode.CANCELLED and _DETAILS_KEY not in trailers:
        return PAUSE
    milliseconds = trailers.get(_PUSHBACK_KEY)
    if error.code() in _LATER and milliseconds is not None:
        return int(milliseconds) / 1000 * random.uniform(1, SPREAD) if int(milliseconds) >= 0 else None
    return PAUSE if was_answered and error.code() is grpc.StatusCode.UNAVAILABLE else None
