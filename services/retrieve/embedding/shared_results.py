"""Results of a model by text, shared among coroutines and cached.

Equal texts are computed once: cached and pending results are shared. A text that nobody waits for any more is not
computed.
"""

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import Hashable, Mapping
from concurrent.futures import Future
from typing import Generic, TypeVar

from services.retrieve.embedding.batches import Batches

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")


class SharedResults(Generic[Key, Result]):
    """A cache in front of a queue. Close it when no caller is left."""

    def __init__(self, batches: Batches[Key, Result], capacity: int) -> None:
        """Take ownership of the queue; the least recently used of more than `capacity` results is forgotten first."""
        self._batches = batches
        self._capacity = capacity
        self._cache: OrderedDict[Key, Future[Result]] = OrderedDict()
        self._waiting: Counter[Key] = Counter()
        """How many callers wait for a key's result."""
        self._lock = threading.Lock()

    async def get(self, sizes: Mapping[Key, int], priority: int = 0) -> dict[Key, Result]:
        """The result of each key; its size, in characters, bounds the batch that it is computed in.

        Raises:
            Unavailable: the model failed or is being closed.
        """
        futures: dict[Key, Future[Result]] = {}
        try:
            for key, size in sizes.items():
                futures[key] = self._future(key, size, priority)
            return {key: await _result(future) for key, future in futures.items()}
        finally:
            self._leave(futures)

    def keep(self, key: Key, result: Result) -> None:
        """Cache a result that was computed elsewhere, unless the key has one."""
        future: Future[Result] = Future()
        future.set_result(result)
        with self._lock:
            self._put(key, self._cache.get(key, future))

    def _put(self, key: Key, future: "Future[Result]") -> None:
        self._cache[key] = future
        if len(self._cache) > self._capacity:
            self._cache.popitem(last=False)

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._batches.close()

    def _future(self, key: Key, size: int, priority: int) -> "Future[Result]":
        """The result of a key, now or later; the caller has to leave it."""
        with self._lock:
            result = self._cache.get(key)
            if result is not None:
                self._waiting[key] += 1
                self._cache.move_to_end(key)
                return result
            future = self._batches.submit(key, size, priority)
            self._waiting[key] += 1
            self._put(key, future)
        future.add_done_callback(lambda done_future: self._forget_failed(key, done_future))
        return future

    def _leave(self, futures: "Mapping[Key, Future[Result]]") -> None:
        """Stop waiting; a result that nobody else waits for is dropped unless it is being computed."""
        with self._lock:
            self._waiting.subtract(futures.keys())
            unwanted = [key for key in futures if self._waiting[key] == 0]
            for key in unwanted:
                del self._waiting[key]
                if not futures[key].done() and self._cache.get(key) is futures[key]:
                    del self._cache[key]
        for key in unwanted:
            futures[key].cancel()

    def _forget_failed(self, key: Key, done_future: "Future[Result]") -> None:
        """Remove a failure from the cache: the next caller tries again."""
        if done_future.cancelled() or done_future.exception() is not None:
            with self._lock:
                if self._cache.get(key) is done_future:
                    del self._cache[key]


async def _result(future: "Future[Result]") -> Result:
    """The result of a future, without a switch to another task if it is done."""
    if future.done() and not future.cancelled():
        return future.result()
    # Shielded: a cancelled caller must not cancel what another one waits for.
    return await asyncio.shield(asyncio.wrap_future(future))
