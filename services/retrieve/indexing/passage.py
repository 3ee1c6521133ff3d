"""A passage as spans of its document, its place in words (title and headings), and the keys of its windows.

A passage of several thoughts has a vector for each window, a stretch of its sentences. Vector engines only know
windows: a window's key is its passage's key, shifted, plus the window's number, so either follows from the other. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.contracts.spans import Span
from libs.contracts.structure import Block
from libs.language.known import language_of

PARTED: Final = " > "
FRONT_PASSAGES: Final = 3
"""Passages at the beginning of a document that may belong to its title page: authors, date, publisher (taste)."""
MIN_PASSAGES: Final = 5  # least number of passages of a document that has a title page (taste)
JOINED: Final = "\n\n"
"""Separates parts of a passage that are not adjacent in the document."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A passage as spans of its document."""

    spans: tuple[Span, ...]
    """Spans of the document's text, repeated ones first. The passage's text joins them with a blank line."""
    blocks: tuple[Block, ...]
    """The passage's blocks; their spans refer to the passage's text."""
    section: int = 0
    page: int = 0
    front: bool = False
    """Whether the passage may belong to the document's title page."""

    def of(self, text: str) -> str:
        """The passage's text, given the document's text."""
        return JOINED.join(span.of(text) for span in self.spans)

    def repeated(self, text: str) -> str:
        """The part of the text that is repeated from elsewhere in the document; usually empty."""
        return JOINED.join(span.of(text) for span in self.spans[:-1])

    @property
    def span(self) -> Span:
        """The span of the passage's own text, without what is repeated."""
        return self.spans[-1]


def joined(lead_text: str, text: str) -> str:
    """A passage's text: the repeated part followed by its own."""
    return f"{lead_text}{JOINED}{text}" if lead_text else text


def place_of(title: str, headings: Sequence[str]) -> str:
    """Such as "Handbook > Leave > Sick leave"; a heading that repeats the title is left out."""
    parts = [heading for heading in headings if heading != title]
    return PARTED.join(([title] if title else []) + parts)


def searched_place(title: str, headings: Sequence[str], language: str, front: bool) -> str:
    """The searchable place: for a title page it includes the words that questions about it use.

    "Who wrote it?" shares no word with "Bernard Desruisseaux (editor)". Therefore a passage that opens a longer
    document is also indexed under words such as `author` and `date of publication` (docsqa, our questions on documents:
    3 of 6 such questions in the first three passages without it, 5 with it).
    """
    place = place_of(title, headings)
    title_words = language_of(language).title_page if front else ""
    return PARTED.join(filter(None, (place, title_words)))


BITS: Final = 6
MAX_WINDOWS: Final = 1 << BITS  # windows of one passage; further ones get no vector (taste)
Keys = NDArray[np.int64]


def first_windows(passages: Keys) -> Keys:
    """The keys of the first windows of passages."""
    return passages << BITS


def passages_of(windows: Keys) -> Keys:
    """The keys of the passages that windows belong to."""
    return windows >> BITS


def best_windows(windows: Keys) -> NDArray[np.int64]:
    """Positions of each passage's best window, given windows in the order of their scores, the best first."""
    _, first = np.unique(passages_of(windows), return_index=True)
    order: NDArray[np.int64] = np.sort(first)
    return order


def unit_means(rows: NDArray[np.float32], owners: NDArray[np.int64], count: int) -> NDArray[np.float32]:
    """The mean of each owner's unit vectors as a unit vector, shape (count, width); zeros for one without rows.

    `owners` has the owner of each row, in [0, count), ascending.
    """
    sums = np.zeros((count, rows.shape[1]), np.float32)
    if len(owners):
        firsts = np.flatnonzero(np.diff(owners, prepend=-1))
        sums[owners[firsts]] = np.add.reduceat(rows, firsts)  # np.add.at makes the function three times as slow
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    means: NDArray[np.float32] = np.divide(sums, lengths, out=sums, where=lengths > 0)
    return means
