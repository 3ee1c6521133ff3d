"""Vectors of texts, as the stage needs them, kept by text so that a known turn is not embedded again."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

from libs.inference.vectors import Vector


class Embedder(Protocol):
    """A model elsewhere."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector a text, all of one width, in their order.

        Raises:
            ParleyError: there is no model, or nobody answers.
        """
        ...


class CachedEmbedder:
    """Asks another embedder only for texts that it hasn't seen of late."""

    def __init__(self, inner: Embedder, most: int) -> None:
        """`most` is how many vectors are kept; the one that was not used for longest goes first."""
        self._inner = inner
        self._most = most
        self._kept: OrderedDict[str, Vector] = OrderedDict()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """See `Embedder`."""
        known = {text: self._kept[text] for text in texts if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            known.update(zip(missing, await self._inner.embed(missing), strict=True))
        for text in dict.fromkeys(texts):
            self._kept[text] = known[text]
            self._kept.move_to_end(text)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return [known[text] for text in texts]
