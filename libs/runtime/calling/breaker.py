"""A circuit breaker for a server that fails.

After a failure all calls are refused for a pause; then one caller tries, and the others may call again only after it
succeeds. The pause doubles with each failure and is reset only after the server has been up for a while. The log says
when a server stops answering and when it answers again, nothing in between.
"""

import threading
import time
from collections.abc import Callable

import structlog

from libs.runtime.errors import engine_unavailable

FIRST_PAUSE = 0.5
MAX_PAUSE = 15.0
STEADY = 30.0
"""Seconds without a failure after which the pause is reset."""

_log = structlog.get_logger("parley.breaker")


class Breaker:
    """The health of one server as seen by its callers. Thread-safe."""

    def __init__(
        self,
        server: str,
        first_pause: float = FIRST_PAUSE,
        max_pause: float = MAX_PAUSE,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create a breaker that assumes the server to be up.

        Args:
            server: a name for logs and messages; must not contain secrets.
            first_pause: pause after the first failure, in seconds.
            max_pause: longest pause, in seconds.
            now: a monotonic clock, in seconds.
        """
        self._server = server
        self._first_pause = first_pause
        self._max_pause = max_pause
        self._now = now
        self._lock = threading.Lock()
        self._down = False
        self._trying = False
        self._pause = first_pause
        self._until = 0.0
        self._up_since = float("-inf")
        self.outages = 0
        """Number of times the server stopped answering; cached server state is stale once this has grown."""

    def admit(self) -> None:
        """Ask for permission before each call; report its result with `succeeded`, `failed` or `inconclusive`.

        Raises:
            Unavailable: the server failed recently, or another caller is trying.
        """
        with self._lock:
            if not self._down:
                return
            seconds = self._until - self._now()
            if self._trying or seconds > 0:
                raise engine_unavailable(f"{self._server} does not answer.", max(seconds, 0.0) or None)
            self._trying = True

    def succeeded(self) -> None:
        """Report a call that was answered in time."""
        if not self._down:
            return
        with self._lock:
            if self._down:
                self._down = self._trying = False
                self._up_since = self._now()
                _log.info("a server answers again", server=self._server)

    def inconclusive(self) -> None:
        """Report a call that doesn't show whether the server answers in time; the next one may try."""
        with self._lock:
            self._trying = False

    def failed(self, why: str) -> None:
        """Report a call that was not answered, or not in time."""
        with self._lock:
            if not self._down:
                self._stop_asking(why)
            elif self._trying:
                self._pause = min(2 * self._pause, self._max_pause)
            else:
                return  # the call began before the first failure
            self._trying = False
            self._until = self._now() + self._pause

    def _stop_asking(self, why: str) -> None:
        self._down = True
        self.outages += 1
        uptime = self._now() - self._up_since
        self._pause = self._first_pause if uptime >= STEADY else min(2 * self._pause, self._max_pause)
        _log.warning("a server does not answer", server=self._server, why=why)
