"""One model for many callers: threads that run it over small batches of what waits, whoever asked for it.

Small batches, because on a CPU large ones are no faster (all-MiniLM-L6-v2, two cores: 57 passages of 350 characters a
second in fours, 35 in thirty-twos) and whoever comes next waits for at most one.
"""

import itertools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, PriorityQueue
from typing import Generic, TypeVar

from libs.runtime.errors import Unavailable

MOST_ITEMS = 16
MOST_CHARACTERS = 1600
"""Of a batch, counted as padded: items times the longest one."""

Item = TypeVar("Item")
Result = TypeVar("Result")

_LAST = 1 << 30


@dataclass(frozen=True, slots=True, order=True)
class _Job(Generic[Item, Result]):
    """Ordered by priority, then by age."""

    priority: int
    number: int
    item: Item | None = field(compare=False, default=None)
    size: int = field(compare=False, default=0)
    future: "Future[Result]" = field(compare=False, default_factory=Future)


class Batches(Generic[Item, Result]):
    """A queue before a model. Close it when nobody asks any more."""

    def __init__(self, name: str, work: Callable[[Sequence[Item]], Sequence[Result]], side_by_side: int = 1) -> None:
        """Begin.

        Args:
            name: the thread's, and the model's in what is said of a failure.
            work: runs the model; one result an item, in their order.
            side_by_side: threads that may call it at once.
        """
        self._name = name
        self._work = work
        self._jobs: PriorityQueue[_Job[Item, Result]] = PriorityQueue()
        self._numbers = itertools.count()
        self._closed = False
        self._threads = [threading.Thread(target=self._run, name=name, daemon=True) for _ in range(side_by_side)]
        for thread in self._threads:
            thread.start()

    def submit(self, item: Item, size: int, priority: int = 0) -> "Future[Result]":
        """Queue an item of so many characters, lower priorities first. A future that is cancelled is left out.

        Raises:
            Unavailable: it is being closed.
        """
        if self._closed:
            raise Unavailable("ENGINE_UNAVAILABLE", f"The {self._name} is being closed.")
        job: _Job[Item, Result] = _Job(priority, next(self._numbers), item, size)
        self._jobs.put(job)
        return job.future

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._closed = True
        for _ in self._threads:
            self._jobs.put(_Job(_LAST, next(self._numbers)))
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while batch := self._next_batch():
            wanted = [job for job in batch if job.future.set_running_or_notify_cancel()]
            if wanted:
                self._finish(wanted)

    def _next_batch(self) -> list[_Job[Item, Result]]:
        """What is waiting, up to the limits; none when closed."""
        batch = [self._jobs.get()]
        if batch[0].priority == _LAST:
            return []
        longest = batch[0].size
        while len(batch) < MOST_ITEMS and (job := self._waiting()) is not None:
            longest = max(longest, job.size)
            if job.priority == _LAST or longest * (len(batch) + 1) > MOST_CHARACTERS:
                self._jobs.put(job)
                break
            batch.append(job)
        return batch

    def _waiting(self) -> _Job[Item, Result] | None:
        """The next one; None where nothing waits, or another thread was quicker."""
        try:
            return self._jobs.get_nowait()
        except Empty:
            return None

    def _finish(self, batch: list[_Job[Item, Result]]) -> None:
        try:
            results = self._work([job.item for job in batch if job.item is not None])
        except Exception as error:
            for job in batch:
                failure = Unavailable("ENGINE_UNAVAILABLE", f"the {self._name} failed")
                failure.__cause__ = error
                job.future.set_exception(failure)
            return
        for job, result in zip(batch, results, strict=True):
            job.future.set_result(result)
