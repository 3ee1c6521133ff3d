"""Builds a document's CommonMark text with its structure, for formats that mark up their blocks; does no I/O."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, CellRange, Part, Section, Structure
from libs.documents.bibliographies import mark_bibliographies
from libs.documents.structure import sections_of

PARTED: Final = "\n\n"
"""Separator between two blocks."""
INDENT: Final = "  "
"""Indentation of a nested list item, per level."""


class DocumentBuilder:
    """Collects headings and blocks in document order."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._headings: list[Section] = []
        self._blocks: list[Block] = []
        self._items: list[tuple[str, str, int]] = []
        self._code: list[str] = []
        self._awaited = ""
        self.page = 0
        """Of what is added without a page of its own."""

    def __len__(self) -> int:
        """The length of the text so far, in characters."""
        return self._length

    def heading(self, text: str, level: int, page: int = 0) -> None:
        """Add a heading; level 1 is the highest, CommonMark has six. An empty one is ignored."""
        text = _line(text)
        if text:
            start = self._append(f"{'#' * min(max(level, 1), 6)} {text}")
            self._headings.append(Section(text, max(level, 1), 0, start, page or self.page))

    def section(self, text: str) -> None:
        """Add a heading of level 2 as soon as something else is added, unless it is another one of these."""
        self.close()
        self._awaited = text

    def block(self, kind: BlockKind, text: str, page: int = 0) -> None:
        """Add a block without parts; an empty one is ignored."""
        text = text.strip()
        if text:
            start = self._append(text)
            self._add(kind, Span(start, start + len(text)), (), None, page)

    def paragraph(self, text: str, page: int = 0) -> None:
        """Add a paragraph."""
        self.block(BlockKind.PARAGRAPH, text, page)

    def code(self, text: str, language: str = "", page: int = 0) -> None:
        """Add code, with a fence longer than any fence inside it; CommonMark's has at least three marks."""
        text = text.strip("\n")
        if text.strip():
            fence = "```"
            while fence in text:
                fence += "`"
            self.block(BlockKind.CODE, f"{fence}{language}\n{text}\n{fence}", page)

    def items(self, items: Iterable[tuple[str, int]], page: int = 0, kind: BlockKind = BlockKind.LIST) -> None:
        """Add a list of items with their depths; 0 is the outermost."""
        self.marked_items((("-", text, depth) for text, depth in items), page, kind)

    def marked_items(
        self, items: Iterable[tuple[str, str, int]], page: int = 0, kind: BlockKind = BlockKind.LIST
    ) -> None:
        """Add a list of items with their markers ("-", "2.", "b)"), texts and depths."""
        lines = [(marker, _line(text), depth) for marker, text, depth in items]
        self._add_parts(
            [(f"{INDENT * depth}{marker} {text}", depth) for marker, text, depth in lines if text], kind, page
        )

    def item(self, marker: str, text: str, depth: int) -> None:
        """Add an item to the list of those that come one after another."""
        if self._code:
            self.close()
        self._items.append((marker, text, depth))

    def code_line(self, text: str) -> None:
        """Add a line to the code of those that come one after another."""
        if self._items:
            self.close()
        self._code.append(text)

    def close(self) -> None:
        """End the list or the code; whatever else is added ends it, too."""
        items, self._items = self._items, []
        lines, self._code = self._code, []
        self.marked_items(items)
        self.code("\n".join(lines))

    def table(self, rows: Sequence[Sequence[str]], page: int = 0) -> None:
        """Add a table whose first row is the header; a table with a single row becomes a paragraph."""
        filled_rows = [[_cell(cell) for cell in row] for row in rows if any(cell.strip() for cell in row)]
        if len(filled_rows) < 2:
            self.paragraph(" ".join(cell for row in filled_rows for cell in row if cell), page)
            return
        width = max(map(len, filled_rows))
        header, *body = [_row([*row, *[""] * (width - len(row))]) for row in filled_rows]
        header = f"{header}\n{_row(['---'] * width)}"
        self._add_parts([(row, 0) for row in body], BlockKind.TABLE, page, header)

    def records(self, lines: Iterable[str], page: int = 0) -> None:
        """Add table rows as lines that each repeat the column names."""
        self._add_parts([(line, 0) for line in lines if line.strip()], BlockKind.RECORDS, page)

    def locate(self, sheet: str, columns: Sequence[int], rows: Sequence[int]) -> None:
        """Tell from which columns and rows of a sheet, from 1, the latest block comes; its parts are the last rows."""
        block = self._blocks[-1]
        numbered = zip(block.parts, rows[-len(block.parts) :], strict=False)
        parts = tuple(replace(part, row=row) for part, row in numbered)
        cells = CellRange(sheet, columns[0], rows[0], columns[-1], rows[-1])
        self._blocks[-1] = replace(block, parts=parts, cells=cells)

    def append(self, text: str, structure: Structure) -> None:
        """Append a whole text with its structure, for example a book's chapter."""
        if not text:
            return
        shift, first = self._append(text), len(self._headings)
        for section in structure.sections[1:]:
            self._headings.append(replace(section, start=section.start + shift, page=section.page or self.page))
        for block in structure.blocks:
            page = block.page or self.page
            self._blocks.append(replace(block.shifted(shift), section=block.section + first, page=page))

    def build(self) -> tuple[str, Structure]:
        """Return the text and its structure."""
        self.close()
        text = "".join(self._pieces)
        return text, mark_bibliographies(Structure(sections_of(self._headings), tuple(self._blocks)), text)

    def _add_parts(self, lines: Sequence[tuple[str, int]], kind: BlockKind, page: int, header: str = "") -> None:
        """Add a block of lines with their depths, each a part of it, below a header."""
        if not lines:
            return
        text = "\n".join(line for line, _ in lines)
        start = self._append(f"{header}\n{text}" if header else text)
        parts, at = [], start + (len(header) + 1 if header else 0)
        for line, depth in lines:
            parts.append(Part(Span(at, at + len(line)), depth))
            at += len(line) + 1
        self._add(kind, Span(start, at - 1), tuple(parts), Span(start, start + len(header)) if header else None, page)

    def _add(self, kind: BlockKind, span: Span, parts: tuple[Part, ...], header: Span | None, page: int) -> None:
        self._blocks.append(Block(kind, span, len(self._headings), parts, header, page or self.page))

    def _append(self, text: str) -> int:
        """Append a text after a separator; return its start offset."""
        self.close()
        heading, self._awaited = self._awaited, ""
        self.heading(heading, 2)
        if self._pieces:
            self._pieces.append(PARTED)
            self._length += len(PARTED)
        start = self._length
        self._pieces.append(text)
        self._length += len(text)
        return start


def _line(text: str) -> str:
    return " ".join(text.split())


def _cell(cell: str) -> str:
    return _line(cell).replace("|", "\\|")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
