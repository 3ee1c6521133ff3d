"""What placing pictures asks of the models, whoever hosts them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from services.answer.image_placement.scoring import Floats


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """Where the corpus keeps a picture."""

    collection: str
    image_id: str


@dataclass(frozen=True, slots=True)
class Seen:
    """Pictures and texts in one space: a unit vector each, None for a picture that nobody could look at."""

    pictures: "tuple[Floats | None, ...]"
    texts: tuple[Floats, ...]


class Models(Protocol):
    """The models of the suite. None in the place of a result: there is no such model.

    Raises:
        ParleyError: a model or the way to it failed.
    """

    async def embed(self, texts: Sequence[str]) -> list[Floats] | None:
        """One unit vector a text."""
        ...

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float] | None:
        """How well each passage answers, in [0, 1]."""
        ...

    async def look(
        self, images: Sequence[StoredPicture], texts: Sequence[str], principals: Sequence[str]
    ) -> Seen | None:
        """Pictures that the corpus keeps, as far as the principals may see them, and texts about pictures."""
        ...
