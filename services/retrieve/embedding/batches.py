"""A queue in front of a model, which runs several items at once, in threads of its own."""

import asyncio
import itertools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, PriorityQueue
from typing import Generic, TypeVar

from libs.runtime.errors import engine_unavailable

MAX_ITEMS = 16  # of a batch (taste)
MAX_CHARACTERS = 1600
"""Characters of a batch, counted as padded: items times the longest one (taste)."""
Item = TypeVar("Item")
Result = TypeVar("Result")
BACKGROUND = 1 << 20  # the priority of work that nobody waits for: no other shares a batch with it
_LAST = 1 << 30  # below the priority of all work


@dataclass(frozen=True, slots=True, order=True)
class _Job(Generic[Item, Result]):
    """Ordered by priority, then by age."""

    priority: int
    number: int
    item: Item | None = field(compare=False, default=None)
    size: int = field(compare=False, default=0)
    future: "Future[Result]" = field(compare=False, default_factory=Future)


class Batches(Generic[Item, Result]):
    """A queue in front of a model. Close it when no caller is left."""

    def __init__(self, name: str, work: Callable[[Sequence[Item]], Sequence[Result]], side_by_side: int = 1) -> None:
        """Start `side_by_side` threads that run `work` concurrently; it returns one result per item, in order."""
        self._name = name
        self._work = work
        self._jobs: PriorityQueue[_Job[Item, Result]] = PriorityQueue()
        self._numbers = itertools.count()
        self._closed = False
        self._threads = [threading.Thread(target=self._run, name=name, daemon=True) for _ in range(side_by_side)]
        for thread in self._threads:
            thread.start()

    def submit(self, item: Item, size: int, priority: int = 0) -> "Future[Result]":
        """Queue an item of `size` characters, lower priorities first; cancelled, it is dropped. Raises Unavailable."""
        if self._closed:
            raise engine_unavailable(f"The {self._name} is being closed: try again in a moment.")
        job: _Job[Item, Result] = _Job(priority, next(self._numbers), item, size)
        self._jobs.put(job)
        return job.future

    async def results(self, items: Sequence[tuple[Item, int]]) -> list[Result]:
        """The results of items with their sizes, in order; a cancelled call drops its items. Raises Unavailable."""
        futures = [self.submit(item, size) for item, size in items]
        try:
            return [await asyncio.wrap_future(future) for future in futures]
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._closed = True
        for _ in self._threads:
            self._jobs.put(_Job(_LAST, next(self._numbers)))
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while batch := self._next_batch():
            active = [job for job in batch if job.future.set_running_or_notify_cancel()]
            if active:
                self._finish(active)

    def _next_batch(self) -> list[_Job[Item, Result]]:
        """The queued items, up to the limits; empty when closed."""
        batch = [self._jobs.get()]
        if batch[0].priority == _LAST:
            return []
        longest = batch[0].size
        limit = BACKGROUND if batch[0].priority < BACKGROUND else _LAST
        while len(batch) < MAX_ITEMS and (job := self._waiting()) is not None:
            longest = max(longest, job.size)
            if job.priority >= limit or longest * (len(batch) + 1) > MAX_CHARACTERS:
                self._jobs.put(job)
                break
            batch.append(job)
        return batch

    def _waiting(self) -> _Job[Item, Result] | None:
        """The next job; None if the queue is empty or another thread took the last job."""
        try:
            return self._jobs.get_nowait()
        except Empty:
            return None

    def _finish(self, batch: list[_Job[Item, Result]]) -> None:
        try:
            results = self._work([job.item for job in batch if job.item is not None])
        except Exception as error:
            for job in batch:
                failure = engine_unavailable(f"The {self._name} failed: retrieve's log says why.")
                failure.__cause__ = error
                job.future.set_exception(failure)
            return
        for job, result in zip(batch, results, strict=True):
            job.future.set_result(result)
