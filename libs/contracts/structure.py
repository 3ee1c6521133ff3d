"""The structure of documents: sections under headings, and blocks, each with its position in a text."""

from dataclasses import dataclass, field
from enum import StrEnum

from libs.contracts.spans import Span


class BlockKind(StrEnum):
    """The type of a block."""

    PARAGRAPH = "PARAGRAPH"
    LIST = "LIST"
    TABLE = "TABLE"
    CODE = "CODE"
    QUOTATION = "QUOTATION"
    CAPTION = "CAPTION"
    DEFINITION = "DEFINITION"
    """Terms with their definitions."""
    RECORDS = "RECORDS"
    """Rows of a data set; each row repeats the column names and can be read without the others."""
    FURNITURE = "FURNITURE"
    """No content of its own: a table of contents, an index, a bibliography, navigation."""


@dataclass(frozen=True, slots=True)
class Part:
    """An item of a list, a row of a table, a term with its definition."""

    span: Span
    depth: int = 0
    """Nesting depth of a list item; its span ends where a deeper item begins."""


@dataclass(frozen=True, slots=True)
class Block:
    """A coherent part of a document's text."""

    kind: BlockKind
    span: Span
    section: int = 0
    """Index of its section among the structure's sections."""
    parts: tuple[Part, ...] = ()
    """Its parts in order; empty if it has none."""
    header: Span | None = None
    """The header row of a table, which is not one of its parts."""
    page: int = 0
    """Page number from 1; 0 if the format has no pages."""


@dataclass(frozen=True, slots=True)
class Section:
    """The text under a heading, up to the next heading of the same or a higher level."""

    heading: str = ""
    """The heading as plain text; empty for the text before the first heading."""
    level: int = 0
    """1 is the highest; 0 is the document itself."""
    parent: int = -1
    """Index of the section that contains it; -1 for the document itself."""
    start: int = 0
    """Position of its heading in the text."""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Structure:
    """A document's sections and blocks, both in the order of the text. The first section is the document itself."""

    sections: tuple[Section, ...] = (Section(),)
    blocks: tuple[Block, ...] = field(default=())

    def headings(self, section: int) -> tuple[str, ...]:
        """The headings that lead to a section, the outermost first; its own is the last."""
        path: list[str] = []
        while section > 0:
            path.append(self.sections[section].heading)
            section = self.sections[section].parent
        return tuple(heading for heading in reversed(path) if heading)
