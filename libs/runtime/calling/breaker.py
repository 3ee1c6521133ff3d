"""A circuit breaker for a server that fails.

After a failure all calls are refused for a pause; then one caller tries, and the others may call again only after it
succeeds. The pause doubles with each failure and is reset only after the server has been up for a while. The log says
when a server stops answering and when it answers again, nothing in between. Numbers that name no source are chosen
by hand.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

import structlog

from libs.runtime.errors import engine_unavailable

FIRST_PAUSE = 0.5  # seconds (taste)
MAX_PAUSE = 15.0  # seconds; pauses double up to it (taste)
STEADY = 30.0
"""Seconds without a failure after which the pause is reset."""

_log = structlog.get_logger("parley.breaker")


@dataclass
class Breaker:
    """The health of one server as seen by its callers, up at first. Thread-safe."""

    server: str
    """Its name in logs and messages; without secrets."""
    now: Callable[[], float] = time.monotonic
    outages: int = 0
    """Number of times the server stopped answering; cached server state is stale once this has grown."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _is_down: bool = False
    _is_trying: bool = False
    _pause: float = 0.0
    _until: float = 0.0
    _up_since: float = -inf

    def admit(self) -> None:
        """Ask for permission before each call; report its result with `succeeded`, `failed` or `inconclusive`.

        Raises:
            Unavailable: the server failed recently, or another caller is trying.
        """
        with self._lock:
            seconds = self._until - self.now()
            if self._is_down and (self._is_trying or seconds > 0):
                message = f"{self.server} does not answer: check that it runs, and its address in the settings."
                raise engine_unavailable(message, max(seconds, 0.0) or None)
            self._is_trying = self._is_down

    def succeeded(self) -> None:
        """Report a call that was answered in time."""
        with self._lock:
            if self._is_down:
                self._is_down = self._is_trying = False
                self._up_since = self.now()
                _log.info("a server answers again", server=self.server)

    def inconclusive(self) -> None:
        """Report a call that doesn't show whether the server answers in time; the next one may try."""
        with self._lock:
            self._is_trying = False

    def failed(self, why: str) -> None:
        """Report a call that was not answered, or not in time."""
        with self._lock:
            if self._is_down and not self._is_trying:
                return  # the call began before the first failure
            is_first = not self._is_down and self.now() - self._up_since >= STEADY
            self._pause = FIRST_PAUSE if is_first else min(2 * self._pause, MAX_PAUSE)
            self._until = self.now() + self._pause
            if not self._is_down:
                self.outages += 1
                _log.warning("a server does not answer", server=self.server, why=why)
            self._is_down, self._is_trying = True, False
