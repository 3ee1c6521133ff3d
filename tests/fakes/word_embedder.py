"""The embedder of another process, for tests: near vectors for the same words, or a failure."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libs.runtime.errors import ParleyError
from tests.fakes.word_encoder import WordEncoder


class WordEmbedder:
    """Fails with `failure` where one is given."""

    def __init__(self, failure: ParleyError | None = None) -> None:
        self.failure = failure
        self.asked: list[str] = []
        self._encoder = WordEncoder(width=512)

    async def embed(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """See `Embedder`."""
        self.asked += texts
        if self.failure:
            raise self.failure
        return list(self._encoder.encode(texts))
