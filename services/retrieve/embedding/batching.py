"""One model for many callers: a thread that runs it, small batches across callers, and a cache.

Queries go before passages, so that a question does not wait behind an ingest; batches are small, because on a CPU large
ones are no faster (all-MiniLM-L6-v2, two cores: 57 passages of 350 characters a second in fours, 35 in thirty-twos) and
a question waits for at most one. The same text is embedded once: what is cached or under way is shared.
"""

import asyncio
import itertools
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import PriorityQueue

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.embedder import Encoder, TextKind
from services.retrieve.embedding.profile import ModelProfile
from services.runtime.errors import Unavailable

MOST_TEXTS = 16
MOST_CHARACTERS = 1600
"""Of a batch, counted as padded: texts times the longest one."""

Vector = NDArray[np.float32]

_FIRST, _SECOND, _LAST = 0, 1, 2


@dataclass(frozen=True, slots=True, order=True)
class _Job:
    """Ordered by priority, then by age."""

    priority: int
    number: int
    text: str = field(compare=False, default="")
    future: "Future[Vector]" = field(compare=False, default_factory=Future)


class BatchingEmbedder:
    """Shares an encoder among coroutines. Close it when nobody asks any more."""

    def __init__(self, encoder: Encoder, cache_size: int = 4096) -> None:
        """Take the encoder over: nobody else may run it.

        Args:
            encoder: the model.
            cache_size: texts whose vectors are kept; 4,096 of 384 values take 6 MB.
        """
        self._encoder = encoder
        self._cache: OrderedDict[str, Future[Vector]] = OrderedDict()
        self._cache_size = cache_size
        self._lock = threading.Lock()
        self._jobs: PriorityQueue[_Job] = PriorityQueue()
        self._numbers = itertools.count()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="embedder", daemon=True)
        self._thread.start()

    @property
    def profile(self) -> ModelProfile:
        """The model's name and habits."""
        return self._encoder.profile

    async def embed(self, texts: Sequence[str], kind: TextKind) -> NDArray[np.float32]:
        """One unit vector a text, shape (texts, width), in their order; equal texts share one.

        Raises:
            Unavailable: the model failed or is being closed.
        """
        if self._closed:
            raise Unavailable("ENGINE_UNAVAILABLE", "the embedder is being closed")
        query = kind is TextKind.QUERY
        prefix = self.profile.query_prefix if query else self.profile.passage_prefix
        futures = [self._future(prefix + text, _FIRST if query else _SECOND) for text in texts]
        # Shielded: whoever goes away must not cancel what another caller waits for.
        vectors = [await asyncio.shield(asyncio.wrap_future(future)) for future in futures]
        return np.stack(vectors) if vectors else np.zeros((0, self.profile.width), np.float32)

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._closed = True
        self._jobs.put(_Job(_LAST, next(self._numbers)))
        self._thread.join()

    def _future(self, text: str, priority: int) -> "Future[Vector]":
        with self._lock:
            known = self._cache.get(text)
            if known is not None:
                self._cache.move_to_end(text)
                return known
            job = _Job(priority, next(self._numbers), text)
            self._cache[text] = job.future
            if len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
        self._jobs.put(job)
        return job.future

    def _run(self) -> None:
        while True:
            batch = self._next_batch()
            if not batch:
                return
            self._encode(batch)

    def _next_batch(self) -> list[_Job]:
        """What is waiting, up to the limits; none when closed."""
        batch: list[_Job] = []
        longest = 0
        while not batch or (len(batch) < MOST_TEXTS and not self._jobs.empty()):
            job = self._jobs.get()
            longest = max(longest, len(job.text))
            if job.priority == _LAST or (batch and longest * (len(batch) + 1) > MOST_CHARACTERS):
                if batch:
                    self._jobs.put(job)
                return batch
            batch.append(job)
        return batch

    def _encode(self, batch: list[_Job]) -> None:
        try:
            vectors = self._encoder.encode([job.text for job in batch])
        except Exception as error:
            with self._lock:
                for job in batch:
                    self._cache.pop(job.text, None)
            for job in batch:
                failure = Unavailable("ENGINE_UNAVAILABLE", "the embedding model failed")
                failure.__cause__ = error
                job.future.set_exception(failure)
            return
        for job, vector in zip(batch, vectors, strict=True):
            job.future.set_result(vector)
