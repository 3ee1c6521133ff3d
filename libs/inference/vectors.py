"""Embedding vectors of texts."""

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from libs.runtime.threads import in_thread_unless
from parley.retrieve.v1 import inference_pb2

if TYPE_CHECKING:  # numpy costs memory, and most processes never compare vectors
    import numpy as np
    from numpy.typing import NDArray


Vector: TypeAlias = "NDArray[np.float32]"


class Embedder(Protocol):
    """An embedding model in another process."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one unit vector per text, all of the same width, in the order of the texts.

        Raises:
            ParleyError: there is no model, or it does not respond in time.
        """
        ...


async def read_vectors(embeddings: Iterable[inference_pb2.Embedding]) -> list[Vector]:
    """One array per message; empty if the message has no values.

    The first call of a process loads numpy in a thread, which takes a tenth of a second.
    """
    return await in_thread_unless("numpy" in sys.modules, _arrays_of, embeddings)


def _arrays_of(embeddings: Iterable[inference_pb2.Embedding]) -> list[Vector]:
    import numpy as np

    return [np.array(embedding.values, np.float32) for embedding in embeddings]
