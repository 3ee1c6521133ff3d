"""The evidence as a prompt shows it: sections with their passages joined, in document order. Pure functions.

The documents come in the order of their best passages, the sections of a document in its own order. So a list that was
found in two passages is one list below its lead, and what follows in a document is read after it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Final

from libs.contracts.evidence import Passage, Reference, Relevance, Section
from libs.text.prompt_injection import APART
from services.answer.citing.locations import heading_of
from services.answer.evidence_sanitizer import has_content, sanitize_reference
from services.answer.quoting.dependence import count_words

MIN_PASSAGES: Final = 3
"""This many passages are always included, whatever their length (taste)."""
OMITTED: Final = "\n…\n"
"""Stands for what is left out between two passages of a section."""
MAX_GAP: Final = 3
"""Characters between passages that follow one another: white space (taste)."""


@dataclass(frozen=True, slots=True)
class PromptItem:
    """The passages of one section, in document order; the model cites them by one number."""

    pieces: tuple[Reference, ...]

    @property
    def number(self) -> int:
        """The number of its best passage."""
        return min(piece.number for piece in self.pieces)

    @property
    def passage(self) -> Passage:
        """Its first passage."""
        return self.pieces[0].evidence.passage

    @property
    def relevance(self) -> Relevance:
        """That of its best passage."""
        return min(self.pieces, key=lambda piece: piece.number).evidence.relevance

    @property
    def text(self) -> str:
        """The passages as one text below their heading, without words that two of them share."""
        heading = heading_of(self.passage)
        text, end = f"# {heading}\n\n" * bool(heading) + self.passage.text, self.passage.span.end
        for piece in self.pieces[1:]:
            passage = piece.evidence.passage
            text += _continuation(passage, end)
            end = max(end, passage.span.end)
        return text.replace(APART, "")


def select_references(references: Sequence[Reference], max_passages: int, max_words: int) -> Sequence[Reference]:
    """Return the best references that have content, sanitized: within the word limit, but always the first ones."""
    best = sorted(references, key=lambda reference: reference.number)[:max_passages]
    clean = [each for each in map(sanitize_reference, best) if has_content(each.evidence.passage)]
    totals = accumulate(count_words(reference.evidence.passage.text) for reference in clean)
    count = sum(1 for _ in takewhile(lambda total: total <= max_words, totals))
    return clean[: max(MIN_PASSAGES, count)]


def in_document_order(references: Iterable[Reference]) -> Sequence[PromptItem]:
    """Return the references, best first, as sections in document order."""
    documents: dict[tuple[str, str], dict[Section, list[Reference]]] = {}
    for reference in references:
        passage = reference.evidence.passage
        sections = documents.setdefault((passage.collection, passage.document_id), {})
        sections.setdefault(passage.section, []).append(reference)
    items = [[PromptItem(_ordered(pieces)) for pieces in sections.values()] for sections in documents.values()]
    return [item for document in items for item in sorted(document, key=lambda item: item.passage.span.start)]


def _ordered(pieces: Iterable[Reference]) -> tuple[Reference, ...]:
    return tuple(sorted(pieces, key=lambda piece: (piece.evidence.passage.span.start, piece.number)))


def _continuation(passage: Passage, end: int) -> str:
    """What a passage adds to a section that is told up to `end`, without a head row that it repeats."""
    span = passage.span
    length = span.end - span.start
    if not 0 < length <= len(passage.text) or span.start > end + MAX_GAP:
        return OMITTED + passage.text
    return "\n" * (span.start >= end) + passage.text[len(passage.text) - length + max(0, end - span.start) :]
