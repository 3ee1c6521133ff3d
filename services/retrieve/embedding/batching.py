"""Shares one embedding model among many callers, with a cache.

Queries take precedence over passages, so that a question does not wait for an ingest. The model runs in threads of its
own: `embed` and `read` await, only `close` blocks, until they end.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.inference.tokens import Tokens
from services.retrieve.embedding.batches import Batches
from services.retrieve.embedding.embedder import Encoder, ModelProfile, TextKind, TokenEncoder
from services.retrieve.embedding.shared_results import SharedResults

Vector = NDArray[np.float32]
_FIRST, _SECOND = 0, 1


class BatchingEmbedder:
    """Shares an encoder among coroutines. Close it when no caller is left."""

    def __init__(self, encoder: Encoder, cache_size: int = 4096, side_by_side: int = 1) -> None:
        """Take ownership of the encoder: nothing else may encode with it.

        Args:
            encoder: the model.
            cache_size: texts whose vectors are cached; 4,096 (taste) of 384 values take 6 MB.
            side_by_side: threads that may run it concurrently.
        """
        self._encoder = encoder
        batches: Batches[str, Vector] = Batches("embedder", lambda texts: list(encoder.encode(texts)), side_by_side)
        self._vectors = SharedResults(batches, cache_size)

    @property
    def profile(self) -> ModelProfile:
        """The model's profile."""
        return self._encoder.profile

    async def embed(self, texts: Sequence[str], kind: TextKind, priority: int | None = None) -> NDArray[np.float32]:
        """One unit vector per text, shape (texts, width), in order; equal texts share one.

        By default queries come first, then passages; a greater `priority` comes later.

        Raises:
            Unavailable: the model failed or is being closed.
        """
        query = kind is TextKind.QUERY
        prefix = self.profile.query_prefix if query else self.profile.passage_prefix
        prefixed_texts = [prefix + text for text in texts]
        sizes = {text: len(text) for text in prefixed_texts}
        usual = _FIRST if query else _SECOND
        vectors = await self._vectors.get(sizes, usual if priority is None else priority)
        return (
            np.stack([vectors[text] for text in prefixed_texts])
            if texts
            else np.zeros((0, self.profile.width), np.float32)
        )

    def keep(self, text: str, vector: Vector) -> None:
        """Cache the vector of a text that was encoded elsewhere, as it stands."""
        self._vectors.keep(text, vector)

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._vectors.close()


CACHED_READINGS: Final = 32
"""Texts whose states are cached: 5 MB at 100 tokens of two layers and 384 values, at most 19 (taste). The stage that
reads a conversation keeps what it needs of them, so these are for texts that several calls ask for at a time."""


class BatchingReader:
    """Shares what an encoder knows of tokens among coroutines. Close it when no caller is left."""

    def __init__(
        self, encoder: TokenEncoder, cache_size: int = CACHED_READINGS, embedder: BatchingEmbedder | None = None
    ) -> None:
        """`embedder`, which may share the encoder, caches the vectors of what is read; `cache_size` is in texts."""
        self._encoder = encoder
        self._embedder = embedder
        batches: Batches[tuple[str, tuple[int, ...]], Tokens] = Batches(
            "token reader", lambda items: [self._read(*item) for item in items]
        )
        self._readings = SharedResults(batches, cache_size)

    def _read(self, text: str, layers: Sequence[int]) -> Tokens:
        tokens = self._encoder.read(text, layers)
        if self._embedder is not None and tokens.vector is not None:
            self._embedder.keep(text, tokens.vector)
        return tokens

    @property
    def profile(self) -> ModelProfile:
        """The model's profile."""
        return self._encoder.profile

    @property
    def layers(self) -> Sequence[int]:
        """The layers whose states it shows; 1 is the first."""
        return self._encoder.layers

    async def read(self, texts: Sequence[str], layers: Sequence[int]) -> list[Tokens]:
        """The tokens of each text with the states of the layers, in order; equal texts share theirs.

        Raises:
            Unavailable: the model failed or is being closed.
        """
        keys = [(text, tuple(layers)) for text in texts]
        readings = await self._readings.get({key: len(key[0]) for key in keys})
        return [readings[key] for key in keys]

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._readings.close()
