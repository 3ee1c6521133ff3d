"""Shares one embedding model among many callers, with a cache.

Queries take precedence over passages, so that a question does not wait for an ingest. Equal texts are embedded once:
cached and pending vectors are shared. A text that nobody waits for any more is not embedded. The model runs in threads
of its own: `embed` awaits, only `close` blocks, until they end.
"""

import asyncio
import itertools
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, PriorityQueue
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from libs.runtime.errors import engine_unavailable
from services.retrieve.embedding.embedder import Encoder, ModelProfile, TextKind

Vector = NDArray[np.float32]
_FIRST, _SECOND = 0, 1


class BatchingEmbedder:
    """Shares an encoder among coroutines. Close it when no caller is left."""

    def __init__(self, encoder: Encoder, cache_size: int = 4096, side_by_side: int = 1) -> None:
        """Take ownership of the encoder: nothing else may run it.

        Args:
            encoder: the model.
            cache_size: texts whose vectors are cached; 4,096 (taste) of 384 values take 6 MB.
            side_by_side: threads that may run it concurrently.
        """
        self._encoder = encoder
        self._cache: OrderedDict[str, Future[Vector]] = OrderedDict()
        self._cache_size = cache_size
        self._waiting: Counter[str] = Counter()
        """How many callers wait for a text's vector."""
        self._lock = threading.Lock()
        self._batches: Batches[str, Vector] = Batches(
            "embedder", lambda texts: list(encoder.encode(texts)), side_by_side
        )

    @property
    def profile(self) -> ModelProfile:
        """The model's profile."""
        return self._encoder.profile

    async def embed(self, texts: Sequence[str], kind: TextKind) -> NDArray[np.float32]:
        """One unit vector per text, shape (texts, width), in order; equal texts share one.

        Raises:
            Unavailable: the model failed or is being closed.
        """
        query = kind is TextKind.QUERY
        prefix = self.profile.query_prefix if query else self.profile.passage_prefix
        prefixed_texts = [prefix + text for text in texts]
        futures: dict[str, Future[Vector]] = {}
        try:
            for text in dict.fromkeys(prefixed_texts):
                futures[text] = self._future(text, _FIRST if query else _SECOND)
            vectors = [await _vector(futures[text]) for text in prefixed_texts]
        finally:
            self._leave(futures)
        return np.stack(vectors) if vectors else np.zeros((0, self.profile.width), np.float32)

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._batches.close()

    def _future(self, text: str, priority: int) -> "Future[Vector]":
        """The vector of a text, now or later; the caller has to leave it."""
        with self._lock:
            vector = self._cache.get(text)
            if vector is not None:
                self._waiting[text] += 1
                self._cache.move_to_end(text)
                return vector
            future = self._batches.submit(text, len(text), priority)
            self._waiting[text] += 1
            self._cache[text] = future
            if len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
        future.add_done_callback(lambda done_future: self._forget_failed(text, done_future))
        return future

    def _leave(self, futures: Mapping[str, "Future[Vector]"]) -> None:
        """Stop waiting; a vector that nobody else waits for is dropped unless it is being made."""
        with self._lock:
            self._waiting.subtract(futures.keys())
            unwanted = [text for text in futures if self._waiting[text] == 0]
            for text in unwanted:
                del self._waiting[text]
                if not futures[text].done() and self._cache.get(text) is futures[text]:
                    del self._cache[text]
        for text in unwanted:
            futures[text].cancel()

    def _forget_failed(self, text: str, done_future: "Future[Vector]") -> None:
        """Remove a failure from the cache: the next caller tries again."""
        if done_future.cancelled() or done_future.exception() is not None:
            with self._lock:
                if self._cache.get(text) is done_future:
                    del self._cache[text]


async def _vector(future: "Future[Vector]") -> Vector:
    """The result of a future, without a switch to another task if it is done."""
    if future.done() and not future.cancelled():
        return future.result()
    # Shielded: a cancelled caller must not cancel what another one waits for.
    return await asyncio.shield(asyncio.wrap_future(future))


MAX_ITEMS = 16  # of a batch (taste)
MAX_CHARACTERS = 1600
"""Characters of a batch, counted as padded: items times the longest one (taste)."""
Item = TypeVar("Item")
Result = TypeVar("Result")
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
        while len(batch) < MAX_ITEMS and (job := self._waiting()) is not None:
            longest = max(longest, job.size)
            if job.priority == _LAST or longest * (len(batch) + 1) > MAX_CHARACTERS:
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
