"""The labelled paragraphs of `labelled_pictures.toml`, with the notes that they cite and what these show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import yaml

from bench.labelled import DATA, read_toml
from bench.sample_search import CORPUS, sample_index
from libs.contracts.evidence import ImageReference, Reference
from services.answer.image_placement.candidates import CitedParagraph
from services.retrieve.pictures.pixels import measure


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
    measures = measure(path.read_bytes())
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
