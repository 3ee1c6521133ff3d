"""What documents are made of: sections under headings, and blocks, each with its place in a text."""

from dataclasses import dataclass, field
from enum import StrEnum

from libs.contracts.spans import Span


class BlockKind(StrEnum):
    """What a block is."""

    PARAGRAPH = "PARAGRAPH"
    LIST = "LIST"
    TABLE = "TABLE"
    CODE = "CODE"
    QUOTATION = "QUOTATION"
    CAPTION = "CAPTION"
    DEFINITION = "DEFINITION"
    """Terms, each with what it means."""
    RECORDS = "RECORDS"
    """Rows of a data set, each of which tells the names of its columns and stands for itself."""
    FURNITURE = "FURNITURE"
    """No content of its own: a table of contents, an index, a bibliography, navigation."""


@dataclass(frozen=True, slots=True)
class Part:
    """An item of a list, a row of a table, a term with its definition."""

    span: Span
    depth: int = 0
    """How deep an item lies within other items; its span ends where a deeper item begins."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a document's text that belongs together."""

    kind: BlockKind
    span: Span
    section: int = 0
    """Its section, by position among the structure's sections."""
    parts: tuple[Part, ...] = ()
    """In order; empty for a block that has none."""
    header: Span | None = None
    """The header row of a table, which is none of its parts."""
    page: int = 0
    """From 1, where the format has pages; else 0."""


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under a heading, up to the next heading of its level or a higher one."""

    heading: str = ""
    """In plain words; empty for what stands before the first heading."""
    level: int = 0
    """1 is the highest; 0 is the document itself."""
    parent: int = -1
    """The section that it lies in, by position; -1 for the document itself."""
    start: int = 0
    """Where its heading begins in the text."""
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
