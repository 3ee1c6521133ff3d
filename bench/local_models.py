"""The packaged text embedder in this process, as the answer stage would ask for it."""

from collections.abc import Sequence
from functools import lru_cache

from services.answer.image_placement.inference import MOST_CHARACTERS, ImageVectors, StoredPicture
from services.answer.image_placement.scoring import Floats
from services.retrieve.embedding.embedder import Encoder


class LocalModels:
    """`Models` with an embedder alone; each text is embedded once."""

    def __init__(self, encoder: Encoder) -> None:
        self._vector = lru_cache(maxsize=4096)(lambda text: encoder.encode([text])[0])

    async def embed(self, texts: Sequence[str]) -> list[Floats] | None:
        """Unit vectors."""
        return [self._vector(text[:MOST_CHARACTERS]) for text in texts]

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float] | None:
        """No reranker."""
        return None

    async def look(
        self, images: Sequence[StoredPicture], texts: Sequence[str], principals: Sequence[str]
    ) -> ImageVectors | None:
        """No picture model."""
        return None
