"""One model of pictures for many callers."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np

from services.retrieve.batches import MOST_CHARACTERS, Batches
from services.retrieve.pictures.picture_encoder import Floats, PictureEncoder, UnusablePicture
from services.runtime.errors import InvalidInput

_PICTURES_AT_ONCE = 4


class PictureEmbedder:
    """Shares a model among coroutines. Close it when nobody asks any more."""

    def __init__(self, encoder: PictureEncoder) -> None:
        """Take the model over: nobody else may run it."""
        self.name = encoder.name
        self._encoder = encoder
        self._pictures: Batches[Floats, Floats] = Batches("picture model", lambda some: list(encoder.pictures(some)))
        self._texts: Batches[str, Floats] = Batches(
            "model of texts about pictures", lambda some: list(encoder.texts(some))
        )

    async def pictures(self, pictures: Sequence[bytes]) -> list[Floats]:
        """One unit vector a picture, in their order.

        Raises:
            InvalidInput: one of them cannot be decoded; names its place.
            Unavailable: the model failed.
        """
        prepared = [await self._prepared(at, picture) for at, picture in enumerate(pictures)]
        return await _all([self._pictures.submit(pixels, MOST_CHARACTERS // _PICTURES_AT_ONCE) for pixels in prepared])

    async def texts(self, texts: Sequence[str]) -> list[Floats]:
        """One unit vector a text, in their order.

        Raises:
            Unavailable: the model failed.
        """
        return await _all([self._texts.submit(text, len(text)) for text in texts])

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._pictures.close()
        self._texts.close()

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
