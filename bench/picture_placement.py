"""Paragraphs that get their labelled picture, by the packaged text embedder: `python -m bench.picture_placement`.

Twenty paragraphs that no threshold was set on. Beside that a control: where only pictures of other worlds are to be
had, hardly one may stand anywhere.
"""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from bench.labelled import Figure, show
from bench.labelled_pictures import Case, pictures, read_cases
from services.answer.image_placement.candidates import Candidate, find_candidates
from services.answer.image_placement.inference import MAX_CHARACTERS, ImageVectors, StoredPicture
from services.answer.image_placement.placer import ImagePlacer, PicturePlacement
from services.answer.image_placement.scoring import Floats
from services.retrieve.embedding.embedder import Encoder
from services.retrieve.embedding.opening import NoEncoder, open_encoder

WORLDS = (
    (("Moon", "Apollo", "Lunokhod", "Chang'e"), ("Moon", "lunar", "samples", "far side")),
    (("Mars", "Curiosity", "Ingenuity", "InSight"), ("Mars", "rover")),
    (("Venus", "Venera"), ("Venus",)),
    (("Cassini", "Huygens"), ("Saturn", "Titan", "Enceladus")),
    (("Pluto",), ("Pluto",)),
    (("Jupiter", "Galileo", "Juice"), ("Jupiter",)),
)
"""Words of questions about a world, and words of captions that show it."""


class LocalModels:
    """`Models` with an embedder alone; each text is embedded once."""

    def __init__(self, encoder: Encoder) -> None:
        self._vector = lru_cache(maxsize=4096)(lambda text: encoder.encode([text])[0])

    async def embed(self, texts: Sequence[str]) -> list[Floats] | None:
        """Unit vectors."""
        return [self._vector(text[:MAX_CHARACTERS]) for text in texts]

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float] | None:
        """No reranker."""
        return None

    async def look(
        self, images: Sequence[StoredPicture], texts: Sequence[str], principals: Sequence[str]
    ) -> ImageVectors | None:
        """No picture model."""
        return None


def local_placer(folder: Path) -> ImagePlacer:
    """With the packaged embedder, whose graph is kept in a folder.

    Raises:
        RuntimeError: no model is installed.
    """
    encoder = open_encoder("auto", folder, threads=1)
    if isinstance(encoder, NoEncoder):
        raise RuntimeError("no embedding model is installed")
    return ImagePlacer(LocalModels(encoder), seconds=60, max_pictures=64)  # more than any case needs


async def place(placer: ImagePlacer, case: Case) -> PicturePlacement:
    """The pictures of a case's paragraphs."""
    return await placer.place(case.question, case.paragraphs, case.references)


async def right(placer: ImagePlacer, cases: Sequence[Case]) -> int:
    """How many paragraphs have their picture, or none where none belongs to them."""
    count = 0
    for case in cases:
        image_ids = {image.paragraph: image.image.image_id for image in (await place(placer, case)).images}
        count += sum(
            image_ids.get(paragraph.number, "") == case.right.get(paragraph.number, "") for paragraph in case.paragraphs
        )
    return count


def candidates(case: Case) -> Sequence[Candidate]:
    """What there is to choose from."""
    return find_candidates(case.paragraphs, case.references, 64)


def distracting(case: Case) -> Case:
    """Pictures of other worlds, marks among them, in the place of its own; those of none may fit any question."""
    question_worlds = worlds(case.question, 0)
    all_images = {image.image_id: image for images in pictures().values() for image in images}.values()
    others = [
        image
        for image in all_images
        if (image_worlds := worlds(image.caption, 1)) and not image_worlds & question_worlds
    ]
    return case.showing({reference.evidence.passage.document_id: others for reference in case.references})


def worlds(text: str, side: int) -> set[int]:
    """The worlds that a question asks about (side 0), or a caption shows (side 1)."""
    return {number for number, words in enumerate(WORLDS) if any(word in text for word in words[side])}


async def measure(placer: ImagePlacer) -> list[Figure]:
    """Over the paragraphs that no threshold was set on."""
    cases = read_cases("unseen")
    paragraphs = sum(len(case.paragraphs) for case in cases)
    strangers = [len((await place(placer, distracting(case))).images) for case in cases]
    return [
        Figure("pictures", paragraphs, "right", await right(placer, cases)),
        Figure("pictures", paragraphs, "others only: placed", sum(strangers)),
    ]


def figures() -> list[Figure]:
    """Of all cases."""
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        return asyncio.run(measure(local_placer(Path(folder))))


def main() -> int:
    """Measure and print."""
    show("Pictures beside paragraphs", figures())
    return 0


if __name__ == "__main__":
    sys.exit(main())
