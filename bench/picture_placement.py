"""Paragraphs that get their labelled picture, by the packaged text embedder: `python -m bench.picture_placement`.

Twenty paragraphs that no threshold was set on. Beside that a control: where only pictures of other worlds are to be
had, hardly one may stand anywhere.
"""

import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import yaml

from bench.labelled import DATA, Figure, read_toml, show
from bench.sample_search import CORPUS, sample_index
from libs.contracts.answers import PlacedImage
from libs.contracts.evidence import ImageReference, Reference
from libs.inference.vectors import Vector
from services.answer.image_placement.inference import ImageVectors, PlacementModels
from services.answer.image_placement.matching import Candidate, CitedParagraph, find_candidates
from services.answer.image_placement.placer import ImagePlacer
from services.answer.image_placement.settings import ImagePlacementSettings
from services.retrieve.embedding.embedder import Encoder
from services.retrieve.embedding.opening import NoEncoder, open_encoder
from services.retrieve.pictures.pixels import measure as measure_picture

WORLDS = (
    (("Moon", "Apollo", "Lunokhod", "Chang'e"), ("Moon", "lunar", "samples", "far side")),
    (("Mars", "Curiosity", "Ingenuity", "InSight"), ("Mars", "rover")),
    (("Venus", "Venera"), ("Venus",)),
    (("Cassini", "Huygens"), ("Saturn", "Titan", "Enceladus")),
    (("Pluto",), ("Pluto",)),
    (("Jupiter", "Galileo", "Juice"), ("Jupiter",)),
)
"""Words of questions about a world, and words of captions that show it."""


@dataclass(frozen=True)
class Case:
    """A question, the paragraphs of its answer, and what it cites."""

    question: str
    paragraphs: tuple[CitedParagraph, ...]
    references: tuple[Reference, ...]
    right: Mapping[int, str]
    """The name of the picture of each paragraph that has one."""

    def showing(self, images: Mapping[str, Sequence[ImageReference]]) -> "Case":
        """The same with other pictures in its documents."""
        return replace(self, references=tuple(_with_pictures(r, images) for r in self.references))


def read_cases(part: str) -> list[Case]:
    """The `seen` or the `unseen` ones."""
    return [_case(**fields) for fields in read_toml(DATA / "labelled_pictures.toml")[part]]


@lru_cache(maxsize=1)
def pictures() -> Mapping[str, tuple[ImageReference, ...]]:
    """The pictures of each note as the corpus would give them; an id is the picture's name."""
    return {file.stem: tuple(_pictures(file)) for file in sorted(CORPUS.glob("*.md"))}


def _pictures(file: Path) -> list[ImageReference]:
    head = yaml.safe_load(file.read_text(encoding="utf-8").split("---\n", 2)[1])
    return [_picture(file.parent / picture["path"], picture["caption"]) for picture in head.get("images", [])]


@lru_cache(maxsize=64)  # more than the samples have
def _picture(path: Path, caption: str) -> ImageReference:
    measures = measure_picture(path.read_bytes())
    if measures is None:
        raise ValueError(f"{path} is no picture")
    plain_name = path.stem.replace("logo", "mark").replace("icon", "sign").replace("banner", "strip")
    return ImageReference(plain_name, caption, "", measures.width, measures.height, measures.entropy)


def _case(question: str, cites: Sequence[str], paragraphs: Sequence[Sequence[str]]) -> Case:
    """As retrieval ranks the passages of the notes, the best of each being cited."""
    results = sample_index().search(" ".join([question, *(text for text, _ in paragraphs)]), limit=1000)  # all
    with_pictures = [_with_pictures(reference, pictures()) for reference in results]
    best = {r.evidence.passage.document_id: r.evidence.passage.passage_id for r in reversed(with_pictures)}
    ids = frozenset(best[note] for note in cites)
    return Case(
        question,
        tuple(CitedParagraph(number, text, ids) for number, (text, _) in enumerate(paragraphs, start=1)),
        tuple(reference for reference in with_pictures if reference.evidence.passage.passage_id in ids),
        {number: name for number, (_, name) in enumerate(paragraphs, start=1) if name},
    )


def _with_pictures(reference: Reference, images: Mapping[str, Sequence[ImageReference]]) -> Reference:
    passage = reference.evidence.passage
    with_images = replace(passage, images=tuple(images.get(passage.document_id, ())))
    return replace(reference, evidence=replace(reference.evidence, passage=with_images))


class LocalModels(PlacementModels):
    """An embedder alone; each text is embedded once."""

    def __init__(self, encoder: Encoder) -> None:
        self._vector = lru_cache(maxsize=4096)(lambda text: encoder.encode([text])[0])

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Unit vectors."""
        return [self._vector(text) for text in texts]

    async def rerank(self, query: str, passages: Sequence[str]) -> list[float] | None:
        """No reranker."""
        return None

    async def look(
        self, images: Sequence[tuple[str, str]], texts: Sequence[str], principals: Sequence[str]
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
    return ImagePlacer(LocalModels(encoder), ImagePlacementSettings(seconds=60))  # more than any case needs


async def place(placer: ImagePlacer, case: Case) -> Mapping[int, str]:
    """The name of the picture of each paragraph that got one."""
    placed = await placer.place(case.question, case.paragraphs, case.references)
    return {image.paragraph: image.image.image_id for image in placed if isinstance(image, PlacedImage)}


async def right(placer: ImagePlacer, cases: Sequence[Case]) -> int:
    """How many paragraphs have their picture, or none where none belongs to them."""
    count = 0
    for case in cases:
        image_ids = await place(placer, case)
        count += sum(
            image_ids.get(paragraph.number, "") == case.right.get(paragraph.number, "") for paragraph in case.paragraphs
        )
    return count


def candidates(case: Case) -> Sequence[Candidate]:
    """What there is to choose from."""
    return find_candidates(case.paragraphs, case.references)


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
    strangers = [len(await place(placer, distracting(case))) for case in cases]
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
