"""Admits calls: at most as many at once as the process can handle well, and every caller gets its share.

A call that finds no place waits in the queue of its caller, and places that become free go to the callers in turn. A
call that would wait too long is refused at once. Numbers that name no source are chosen by hand.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import Field

from libs.runtime.errors import Overloaded
from libs.runtime.limits.concurrency_limit import ConcurrencyLimit
from libs.runtime.settings import AreaSettings
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import ambient

CAREFUL: Final = 0.7
"""Share of the longest wait that a call may be expected to wait: most of those that are admitted are then in time."""
LOWEST: Final = 4
"""Calls at once in any case. Durations while no more run count as those of an idle process."""
START: Final = 32
"""Calls at once before anything was measured."""

QUEUE_SECONDS: Final = 1.0
"""Longest time that a turn waits for its begin: a user sees no more than a hesitation (taste)."""


class AdmissionSettings(AreaSettings, area="admission"):
    """How many turns a gateway runs at once."""

    highest: int = Field(default=256, ge=1)  # taste
    """Turns that run at once at most; their number is found from how long they take. One that would wait longer than a
    second for its begin gets RESOURCE_EXHAUSTED at once, with the time after which to try again."""
    calls_per_second: float = Field(default=500.0, gt=0)  # more than one client can make that waits for each answer
    """Calls that one source (principals, else a host) may start in the long run, and twice as many at once;
    health does not count. Further ones get RESOURCE_EXHAUSTED, and are not read."""


_place: ContextVar[ExitStack] = ContextVar("place")
"""Gives back the present call's place when it is closed."""


def keep_place(work: "asyncio.Future[Any] | None") -> None:
    """Let the present call's place be held by its work, and be given back when that ends; None: it has no work.

    So a client that does not read its answer holds no place with what is long done, and one that leaves keeps the place
    of what goes on. Nothing happens if the call has no place.
    """
    place = _place.get(ExitStack()).pop_all()
    if work is None:
        place.close()
    else:
        work.add_done_callback(lambda _: place.close())


@dataclass(slots=True)
class Admission:
    """The places of one process."""

    limit: ConcurrencyLimit
    queue_seconds: float
    running: int = 0
    """Calls that have a place."""
    _queues: OrderedDict[str, deque[asyncio.Future[None]]] = field(default_factory=OrderedDict)
    """Waiting calls by caller; the first caller gets the next place."""

    @asynccontextmanager
    async def place(self, caller: str) -> AsyncIterator[None]:
        """Hold a place in the block, unless `keep_place` lets work hold it.

        Raises:
            Overloaded: none is free in time.
        """
        if self.running < self.limit.limit and not self._queues:
            self.running += 1
        else:
            await self._wait(caller)
        with ExitStack() as place:
            place.callback(self._end, time.perf_counter(), self.running)
            _place.set(place)
            yield

    @property
    def waiting(self) -> int:
        """Calls that wait for a place."""
        return sum(map(len, self._queues.values()))

    async def _wait(self, caller: str) -> None:
        seconds = self._expected_wait(caller)
        if seconds > CAREFUL * self.queue_seconds:
            raise Overloaded(seconds)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(caller, deque()).append(turn)
        telemetry = ambient().telemetry
        telemetry.add(names.ADMISSION_WAITING, +1, {})
        try:
            async with asyncio.timeout(self.queue_seconds):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            self._leave(caller, turn)
            if isinstance(error, TimeoutError):
                raise Overloaded(self._expected_wait(caller)) from None
            raise
        finally:
            telemetry.add(names.ADMISSION_WAITING, -1, {})

    def _expected_wait(self, caller: str) -> float:
        """Seconds until one more call of a caller gets a place, from the last calls' durations.

        Each of its calls that wait already takes a round, in which every caller that waits gets a place.
        """
        callers = len(self._queues.keys() | {caller})
        rounds = len(self._queues.get(caller, ())) + 1
        return rounds * callers * self.limit.mean_seconds / self.limit.limit

    def _end(self, start: float, at_once: int) -> None:
        self.limit.observe(time.perf_counter() - start, max(at_once, self.running))
        self._give_back()

    def _leave(self, caller: str, turn: "asyncio.Future[None]") -> None:
        """Take a call that gave up out of its queue; if it has just got a place, the next one gets it."""
        if turn.done() and not turn.cancelled():
            self._give_back()
        elif (queue := self._queues.get(caller)) is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[caller]

    def _give_back(self) -> None:
        """Return a place, and give what is free to the callers in turn."""
        self.running -= 1
        while self._queues and self.running < self.limit.limit:
            caller, queue = self._queues.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._queues[caller] = queue
            if not turn.done():
                self.running += 1
                turn.set_result(None)


def admission_of(settings: AdmissionSettings) -> Admission:
    """Return the admission of a process, without any calls yet."""
    return Admission(ConcurrencyLimit(min(LOWEST, settings.highest), settings.highest, START), QUEUE_SECONDS)
