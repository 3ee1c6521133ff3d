"""The interface of picture models."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from libs.runtime.errors import InvalidInput
from services.retrieve.embedding.batching import MAX_CHARACTERS, Batches

Floats = NDArray[np.float32]


class PictureEncoder(Protocol):
    """A model: blocking. Pictures are encoded by one thread, texts by another one."""

    name: str

    def prepared(self, picture: bytes) -> Floats:
        """An encoded picture as the model's pixels, shape (3, height, width). May be called from any thread.

        Raises:
            UnusablePicture: it cannot be decoded.
        """
        ...

    def pictures(self, pixels: Sequence[Floats]) -> Floats:
        """One unit vector per picture, shape (pictures, width)."""
        ...

    def texts(self, texts: Sequence[str]) -> Floats:
        """One unit vector per text, shape (texts, width)."""
        ...


class UnusablePicture(Exception):  # noqa: N818 - it names what is wrong
    """The data is not a picture, is damaged, or has too many pixels."""


def unit(vectors: Floats) -> Floats:
    """Scale each row to length 1."""
    unit_vectors: Floats = (vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)).astype(
        np.float32
    )
    return unit_vectors


_PICTURES_AT_ONCE = 4
DEFAULT_CAPACITY = 4096
"""Pictures whose vectors are cached in memory; of 512 values they take 8 MB."""


class PictureEmbedder:
    """Shares a model among coroutines. Close it when no caller is left."""

    def __init__(self, encoder: PictureEncoder, capacity: int = DEFAULT_CAPACITY) -> None:
        """Take ownership of the model: nothing else may run it. `capacity` is the number of cached vectors."""
        self.name = encoder.name
        self._capacity = capacity
        self._cache: OrderedDict[bytes, Floats] = OrderedDict()
        self._encoder = encoder
        self._pictures: Batches[Floats, Floats] = Batches("picture model", lambda some: list(encoder.pictures(some)))
        self._texts: Batches[str, Floats] = Batches(
            "model of texts about pictures", lambda some: list(encoder.texts(some))
        )

    async def pictures(self, pictures: Sequence[bytes]) -> list[Floats]:
        """One unit vector per picture, in order.

        Raises:
            InvalidInput: one of them cannot be decoded; names its position.
            Unavailable: the model failed.
        """
        keys = await asyncio.to_thread(lambda: [hashlib.blake2b(picture).digest() for picture in pictures])
        vectors = {key: self._cache[key] for key in keys if key in self._cache}
        first = {key: at for at, key in reversed(list(enumerate(keys))) if key not in vectors}
        pixel_arrays = [await self._prepared(at, pictures[at]) for at in first.values()]
        size = MAX_CHARACTERS // _PICTURES_AT_ONCE
        new_vectors = await _all([self._pictures.submit(pixels, size) for pixels in pixel_arrays])
        vectors.update(zip(first, new_vectors, strict=True))
        self._keep(vectors)
        return [vectors[key] for key in keys]

    async def readable(self, pictures: Sequence[bytes]) -> list[Floats | None]:
        """One unit vector per picture, in order; None for those that cannot be decoded.

        Raises:
            Unavailable: the model failed.
        """
        return await asyncio.gather(*(self._if_readable(picture) for picture in pictures))

    async def texts(self, texts: Sequence[str]) -> list[Floats]:
        """One unit vector per text, in order.

        Raises:
            Unavailable: the model failed.
        """
        return await _all([self._texts.submit(text, len(text)) for text in texts])

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._pictures.close()
        self._texts.close()

    def _keep(self, vectors: Mapping[bytes, Floats]) -> None:
        for key, vector in vectors.items():
            self._cache[key] = vector
            self._cache.move_to_end(key)
        while len(self._cache) > self._capacity:
            self._cache.popitem(last=False)

    async def _if_readable(self, picture: bytes) -> Floats | None:
        try:
            return (await self.pictures([picture]))[0] if picture else None
        except InvalidInput:
            return None

    async def _prepared(self, at: int, picture: bytes) -> Floats:
        try:
            return await asyncio.to_thread(self._encoder.prepared, picture)
        except UnusablePicture as error:
            raise InvalidInput(f"images[{at}]", str(error)) from error


async def _all(futures: "Sequence[Future[Floats]]") -> list[Floats]:
    try:
        return [np.asarray(await asyncio.wrap_future(future)) for future in futures]
    finally:
        for future in futures:
            future.cancel()
