"""Places: what part of its document a sentence stands in, and under which headings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.contracts.structure import BlockKind
from libs.documents.reading import structure_of

_SILENT: Final = frozenset({BlockKind.FURNITURE, BlockKind.CODE})
_LISTS: Final = frozenset({BlockKind.LIST, BlockKind.DEFINITION})
_ROWS: Final = frozenset({BlockKind.TABLE, BlockKind.RECORDS})


@dataclass(frozen=True, slots=True)
class Place:
    """A block of a document, or what is known of text that is none."""

    span: Span = Span()
    """In the passage's text, or in that of the merged passage that it is part of."""
    kind: BlockKind = BlockKind.PARAGRAPH
    headings: tuple[str, ...] = ()
    """Those that lead to it, the outermost first."""

    @property
    def tells(self) -> bool:
        """Whether events may be told here: code and furniture name dates, and nothing happened on them."""
        return self.kind not in _SILENT

    @property
    def is_row(self) -> bool:
        """Whether what stands here are rows of a table or of a data set."""
        return self.kind in _ROWS

    @property
    def is_list(self) -> bool:
        """Whether what stands here are items or terms."""
        return self.kind in _LISTS

    def moved(self, by: int) -> "Place":
        """The same place in a text that the passage begins at `by` of."""
        return Place(Span(self.span.start + by, self.span.end + by), self.kind, self.headings)


def places_in(passage: Passage) -> Iterator[Place]:
    """The blocks of a passage in the order of its text; where they are not told, its text is read for them."""
    if passage.blocks:
        yield from (Place(block.span, block.kind, passage.headings) for block in passage.blocks)
        return
    structure = structure_of(passage.text)
    for block in structure.blocks:
        yield Place(block.span, block.kind, (*passage.headings, *structure.headings(block.section)))


def place_at(places: Sequence[Place], position: int, otherwise: Place) -> Place:
    """The place that holds a position of the text; `otherwise` where none does, as in a heading."""
    holding = (place for place in places if place.span.start <= position < place.span.end)
    return next(holding, otherwise)
