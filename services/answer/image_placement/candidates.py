"""Finds what is compared: paragraphs with citations, and the good pictures in the documents that they cite. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.answers import Citation, Verdict
from libs.contracts.evidence import ImageReference, Passage, Reference
from libs.documents.picture_quality import is_good
from services.answer.citing.citations import without_markers

MAX_TEXT: Final = 350
"""Characters of a passage that are compared; the cost of the text embedder grows with them (taste)."""


@dataclass(frozen=True, slots=True)
class CitedParagraph:
    """A paragraph of the final text."""

    number: int
    """From 1."""
    text: str
    """Without markers."""
    passages: frozenset[str]
    """Ids of the passages that its sentences cite."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A picture with a passage of its document."""

    image: ImageReference
    passage: Passage
    """The document's best ranked passage that the answer cites."""

    @property
    def texts(self) -> tuple[str, str, str]:
        """What is compared besides the picture: its caption, its document's title, and a text of that."""
        return self.image.caption, self.passage.title, self.passage.text[:MAX_TEXT]


def read_paragraphs(paragraphs: Iterable[Sequence[tuple[str, Citation | None]]]) -> Iterator[CitedParagraph]:
    """Yield the paragraphs with citations; each input paragraph is given by its sentences and their citations."""
    for number, sentences in enumerate(paragraphs, start=1):
        citations = [citation for _, citation in sentences if citation and citation.verdict is not Verdict.WITHDRAWN]
        if passages := frozenset(span.passage_id for citation in citations for span in citation.references):
            yield CitedParagraph(number, " ".join(without_markers(text)[0] for text, _ in sentences), passages)


def find_candidates(paragraphs: Iterable[CitedParagraph], references: Sequence[Reference]) -> list[Candidate]:
    """Return good pictures with a caption from cited documents, the best ranked first.

    A picture without a caption cannot be compared with the question.
    """
    cited_ids = {passage_id for paragraph in paragraphs for passage_id in paragraph.passages}
    documents: dict[tuple[str, str], Passage] = {}
    for reference in sorted(references, key=lambda reference: reference.number):
        passage = reference.evidence.passage
        if passage.passage_id in cited_ids:
            documents.setdefault((passage.collection, passage.document_id), passage)
    return [
        Candidate(image, passage)
        for passage in documents.values()
        for image in passage.images
        if image.caption.strip() and is_good(image)
    ]
