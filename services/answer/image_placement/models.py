"""The interface of the models that image placement needs, wherever they run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from services.answer.image_placement.scoring import Floats


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """The location of a picture in the corpus."""

    collection: str
    image_id: str


@dataclass(frozen=True, slots=True)
class ImageVectors:
    """Unit vectors of pictures and texts in a common space; None for a picture that is not available."""

    pictures: "tuple[Floats | None, ...]"
    texts: tuple[Floats, ...]


class PlacementModels(Protocol):
    """The available models. A result of None means that there is no such model.

    Raises:
        ParleyError: a model or the connection to it failed.
    """

    async def embed(self, texts: Sequence[str]) -> list[Floats] | None:
        """Return one unit vector per text."""
        ...

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float] | None:
        """Return how well each passage answers the query, in [0, 1]."""
        ...

    async def look(
        self, images: Sequence[StoredPicture], texts: Sequence[str], principals: Sequence[str]
    ) -> ImageVectors | None:
        """Embed stored pictures, as far as the principals may see them, and texts about pictures."""
        ...
