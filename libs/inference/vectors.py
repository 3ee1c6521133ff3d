"""Embedding vectors of texts.

A model's own similarity scale counts the mean cosine of unrelated texts as 0. Models differ in their range: unrelated
sentences have a cosine of .04 with all-MiniLM-L6-v2 and of .78 with multilingual-e5-small. Of 1,725 pairs of news
sentences (the test set of MRPC), within the bounds of `services.timeline.paraphrases`, a cosine threshold of .9 joins 8
with the former model, all of them equivalent according to the annotators, and 91 with the latter, of which 56 are
equivalent. A threshold of .9 on the model's own scale joins 7 (all equivalent) and 5 (4).
"""

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


UNRELATED = (
    "The ferry left the harbour with forty passengers on board.",
    "Her second novel was translated into Polish.",
    "The vaccine was tested on mice before it was approved.",
    "A new stadium was opened in the north of the city.",
    "The company cut the price of its cheapest phone.",
    "Volcanic ash grounded all flights over the island.",
    "The court heard the first witness in the morning.",
    "Farmers planted more wheat than in the year before.",
    "The telescope took its first picture of a distant galaxy.",
    "The orchestra played a symphony by Mahler.",
    "Parliament voted for a lower tax on fuel.",
    "The goalkeeper was sent off before half-time.",
)
"""Unrelated sentences, whose mean cosine is the 0 of a model's scale. They are sent with the texts each time: the host
of the model caches vectors, and may have changed the model since."""


def floor_of(vectors: Sequence[Vector]) -> float:
    """The mean cosine, in [-1, 1], of all pairs of at least two unit vectors of unrelated texts."""
    count = len(vectors)
    total = sum(vectors[1:], start=vectors[0])
    return float(total @ total - count) / (count * (count - 1))


def on_own_scale(cosine: float, floor: float) -> float:
    """A cosine rescaled so that `floor` becomes 0 and 1 stays 1; 0 for a model whose floor is 1."""
    return (cosine - floor) / (1 - floor) if floor < 1 else 0.0
