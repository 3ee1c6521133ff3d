"""Models that say what a test wants: a word is a direction, a text the mean of its words; calls are counted."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from libs.inference.vectors import Vector
from libs.runtime.errors import ParleyError
from services.answer.image_placement.inference import ImageVectors, PlacementModels

WIDTH = 64


@dataclass
class ScriptedModels(PlacementModels):
    """Over words; what is None is missing."""

    directions: dict[str, int] = field(default_factory=dict)
    reranks: Mapping[tuple[str, str], float] | None = None
    """The score of a query and a passage; 0 for all others."""
    looks: Mapping[str, str] | None = None
    """What each picture shows, in words, by its id; a picture that is not there cannot be looked at."""
    failure: ParleyError | None = None
    seconds: float = 0.0
    calls: list[str] = field(default_factory=list)

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        await self._begin("embed")
        return [self._vector(text) for text in texts]

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float] | None:
        await self._begin("rerank")
        scores = self.reranks
        return None if scores is None else [scores.get((query, passage), 0.0) for passage in passages]

    async def look(
        self, images: Sequence[tuple[str, str]], texts: Sequence[str], principals: Sequence[str]
    ) -> ImageVectors | None:
        await self._begin("look")
        looks = self.looks
        if looks is None:
            return None
        pictures = [self._vector(looks[image_id]) if image_id in looks else None for _, image_id in images]
        return ImageVectors(tuple(pictures), tuple(self._vector(text) for text in texts))

    async def _begin(self, call: str) -> None:
        self.calls.append(call)
        await asyncio.sleep(self.seconds)
        if self.failure is not None:
            raise self.failure

    def _vector(self, text: str) -> Vector:
        vector = np.zeros(WIDTH, np.float32)
        for word in text.lower().replace(".", " ").replace("?", " ").split():
            vector[self.directions.setdefault(word, len(self.directions))] += 1
        unit: Vector = vector / max(float(np.linalg.norm(vector)), 1e-9)
        return unit
