"""Admits calls: at most as many at once as the process can handle well, and every caller gets its share.

A call that finds no place waits in the queue of its caller, and places that become free go to the callers in turn. A
call that would wait too long is refused at once. So is one that would wait half as long if its caller has had its
share lately: the rest of the queue is for those who have had less. Numbers that name no source are chosen by hand.
"""

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from pydantic import Field

from libs.runtime.errors import Overloaded
from libs.runtime.limits.concurrency_limit import ConcurrencyLimit
from libs.runtime.settings import AreaSettings
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import ambient

CAREFUL: Final = 0.7
"""Share of the longest wait that a call may be expected to wait: most of those that are admitted are then in time."""
SHORT: Final = 0.35
"""Share of the longest wait up to which nobody is refused."""
LOWEST: Final = 4
"""Calls at once in any case. Durations while no more run count as those of an idle process."""
START: Final = 32
"""Calls at once before anything was measured."""

QUEUE_SECONDS: Final = 1.0
"""Longest time that a turn waits for its begin: a user sees no more than a hesitation (taste)."""
WINDOW_SECONDS: Final = 5.0
"""What counts as lately: this window and the one before."""


class AdmissionSettings(AreaSettings, area="admission"):
    """How many turns a gateway runs at once."""

    highest: int = Field(default=256, ge=1)  # taste
    """Turns that run at once at most; their number is found from how long they take. One that would wait longer than a
    second for its begin gets RESOURCE_EXHAUSTED at once, with the time after which to try again."""


@dataclass(slots=True)
class FairShares:
    """Counts the calls that each caller was given a place for."""

    clock: Callable[[], float] = time.monotonic
    _window: Counter[str] = field(default_factory=Counter)
    _before: Counter[str] = field(default_factory=Counter)
    _window_end: float = 0.0

    def count(self, caller: str, places: int) -> None:
        """Count the caller among those that share the process, and the places that it was given."""
        now = self.clock()
        if now >= self._window_end:
            is_next = now < self._window_end + WINDOW_SECONDS
            self._before = self._window if is_next else Counter()
            self._window, self._window_end = Counter(), now + WINDOW_SECONDS
        self._window[caller] += places

    def has_more_than_its_share(self, caller: str) -> bool:
        """Whether the caller has had at least as many places as the mean of all callers, and is not the only one."""
        callers = len(self._window.keys() | self._before.keys())
        calls = self._window.total() + self._before.total()
        return callers > 1 and (self._window[caller] + self._before[caller]) * callers >= calls > 0


@dataclass(slots=True)
class Place:
    """A place that was given to a call."""

    give_back: Callable[[], None]
    is_kept: bool = False
    """Whether work has taken it over from the call."""


_place: ContextVar[Place | None] = ContextVar("place", default=None)


def keep_place(work: "asyncio.Future[Any] | None") -> None:
    """Let the present call's place be held by its work, and be given back when that ends; None: it has no work.

    So a client that does not read its answer holds no place with what is long done, and one that leaves keeps the place
    of what goes on. Nothing happens if the call has no place.
    """
    place = _place.get()
    if place is None or place.is_kept:
        return
    place.is_kept = True
    if work is None:
        place.give_back()
    else:
        work.add_done_callback(lambda _: place.give_back())


@dataclass(slots=True)
class Admission:
    """The places of one process."""

    limit: ConcurrencyLimit
    queue_seconds: float
    shares: FairShares = field(default_factory=FairShares)
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
        await self._take(caller)
        place = Place(partial(self._end, time.perf_counter(), self.running))
        token = _place.set(place)
        try:
            yield
        finally:
            _place.reset(token)
            if not place.is_kept:
                place.give_back()

    @property
    def waiting(self) -> int:
        """Calls that wait for a place."""
        return sum(map(len, self._queues.values()))

    async def _take(self, caller: str) -> None:
        self.shares.count(caller, 0)
        if self.running < self.limit.limit and not self._queues:
            self.running += 1
        else:
            await self._wait(caller)
        self.shares.count(caller, 1)

    async def _wait(self, caller: str) -> None:
        seconds = self._expected_wait(caller)
        share = SHORT if self.shares.has_more_than_its_share(caller) else CAREFUL
        if seconds > share * self.queue_seconds:
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
