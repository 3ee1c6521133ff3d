"""The block of a document that contains a sentence, with the headings above it. Pure but for cancelling."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.contracts.structure import BlockKind
from libs.documents.reading import structure_of
from libs.runtime.threads import raise_if_cancelled
from libs.text.limits import MAX_PASSAGE

_SILENT: Final = frozenset({BlockKind.FURNITURE, BlockKind.CODE})
_LISTS: Final = frozenset({BlockKind.LIST, BlockKind.DEFINITION})
_ROWS: Final = frozenset({BlockKind.TABLE, BlockKind.RECORDS})


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block of a document, or default values for text outside blocks."""

    span: Span = Span()
    """The span in the text of the passage, or of the text that neighbouring passages are joined to: see `shifted`."""
    kind: BlockKind = BlockKind.PARAGRAPH
    headings: tuple[str, ...] = ()
    """The headings above it, outermost first."""

    @property
    def tells(self) -> bool:
        """Whether it may describe events, unlike code and page furniture, whose dates are no event dates."""
        return self.kind not in _SILENT

    @property
    def is_row(self) -> bool:
        """Whether it consists of rows of a table or a data set."""
        return self.kind in _ROWS

    @property
    def is_list(self) -> bool:
        """Whether it consists of list items or defined terms."""
        return self.kind in _LISTS

    def shifted(self, offset: int) -> "TextBlock":
        """Return the same block in a text in which the passage begins at offset `offset`."""
        return TextBlock(self.span.shifted(offset), self.kind, self.headings)


def blocks_in(passage: Passage) -> Iterator[TextBlock]:
    """Yield the blocks of a passage in text order; if it has none stored, its text is parsed.

    Longer texts than the corpus stores come from a caller; what is behind MAX_PASSAGE is in no block.
    """
    if passage.blocks:
        yield from (TextBlock(block.span, block.kind, passage.headings) for block in passage.blocks)
        return
    structure = structure_of(passage.text[:MAX_PASSAGE])
    for block in structure.blocks:
        yield TextBlock(block.span, block.kind, (*passage.headings, *structure.headings(block.section)))


def block_at(blocks: Sequence[TextBlock], position: int, default: TextBlock) -> TextBlock:
    """Return the block that contains a position of the text, or `default` if none does, as in a heading.

    Raises:
        WorkCancelled: the call was cancelled; it is asked for each sentence, in a worker thread.
    """
    raise_if_cancelled()
    matches = (block for block in blocks if block.span.start <= position < block.span.end)
    return next(matches, default)
