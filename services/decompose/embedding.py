"""Embeddings of texts, cached by text so that a known turn is not embedded again."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

from libs.inference.vectors import Vector


class Embedder(Protocol):
    """An embedding model in another process."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one unit vector per text, all of the same width, in the order of the texts.

        Raises:
            ParleyError: there is no model, or the process does not respond.
        """
        ...


class CachedEmbedder:
    """Asks another embedder only for texts that are not in its cache."""

    def __init__(self, inner: Embedder, capacity: int) -> None:
        """`capacity` is the size of the cache in vectors; the least recently used one is evicted first."""
        self._inner = inner
        self._capacity = capacity
        self._cache: OrderedDict[str, Vector] = OrderedDict()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `Embedder`."""
        vectors = {text: self._cache[text] for text in texts if text in self._cache}
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        if missing:
            vectors.update(zip(missing, await self._inner.embed(missing), strict=True))
        for text in dict.fromkeys(texts):
            self._cache[text] = vectors[text]
            self._cache.move_to_end(text)
        while len(self._cache) > self._capacity:
            self._cache.popitem(last=False)
        return [vectors[text] for text in texts]
