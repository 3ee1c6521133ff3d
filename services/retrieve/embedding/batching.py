"""Shares one embedding model among many callers, with a cache.

Queries take precedence over passages, so that a question does not wait for an ingest. Equal texts are embedded once:
cached and pending vectors are shared. A text that nobody waits for any more is not embedded.
"""

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.embedder import Encoder, TextKind
from services.retrieve.embedding.profile import ModelProfile
from services.retrieve.indexing.batches import Batches

Vector = NDArray[np.float32]

_FIRST, _SECOND = 0, 1


class BatchingEmbedder:
    """Shares an encoder among coroutines. Close it when no caller is left."""

    def __init__(self, encoder: Encoder, cache_size: int = 4096, side_by_side: int = 1) -> None:
        """Take ownership of the encoder: nothing else may run it.

        Args:
            encoder: the model.
            cache_size: texts whose vectors are cached; 4,096 of 384 values take 6 MB.
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
