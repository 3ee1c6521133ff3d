"""Turn the lines of a PDF into headings, paragraphs, lists and tables, by size, position and item marks.

A heading is larger than the body, or bold on lines of its own; a paragraph ends where the distance to the next line is
larger than usual. A paragraph that a page break divides is joined again. Pure. Numbers without a source: by hand.
"""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from ingest.formats.pdf.aligned_tables import with_tables
from ingest.formats.pdf.hyphens import LineJoiner
from ingest.formats.pdf.lines import PdfLine, body_size
from libs.contracts.structure import BlockKind
from libs.documents.building import DocumentBuilder
from libs.documents.furniture import is_contents

LARGER: Final = 1.12
"""Minimum size of a heading, relative to the body (measured on two handbooks and three papers)."""
NOTE: Final = 0.92
"""Size below which text is a footnote, relative to the body."""
SAME_SIZE: Final = 0.08
"""Relative difference below which the sizes of lines count as equal."""
FURTHER: Final = 1.4
"""Distance that separates paragraphs, relative to the usual distance of lines."""
INDENT: Final = 8
"""Points by which the items of a deeper list stand further right."""
MAX_LEADING: Final = 2.5
"""Distance of lines, relative to the body: text that is set at double distance has 2.4."""
MAX_HEADING: Final = 25
"""In words."""
_MARK: Final = re.compile(r"[•◦▪‣■●○□☐☑✓✔➢➤\ue000-\uf8ff]\s*|[*-]\s+")
_NUMBERED: Final = re.compile(r"(?:\(?(?:\d{1,2}|[a-zA-Z])[.)]|–)\s+(?=\S)")
"""Also occurs in running text, so it counts only where a line stands out."""
_CAPTION: Final = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)?|tabelle|tableau|图|表)\s*\d+", re.IGNORECASE
)
_SENTENCE_END: Final = re.compile(r"[.!?:;。！？：；][\"'”’)\]]*\Z")
_NO_HEADING_END: Final = re.compile(r"[.!:;,。！：；，][\"'”’)\]]*\Z")


@dataclass(slots=True)
class _Stretch:
    """Consecutive lines of one kind."""

    kind: str
    lines: list[PdfLine] = field(default_factory=list)

    @property
    def last(self) -> PdfLine:
        return self.lines[-1]


def build_pdf(pages: Sequence[Sequence[PdfLine]]) -> DocumentBuilder:
    """Build the document from the lines of its pages."""
    lines = [line for page in pages for line in with_tables(page)]
    builder = DocumentBuilder()
    if not lines:
        return builder
    reader = _Reader(lines)
    for stretch in reader.stretches():
        reader.write(stretch, builder)
    return builder


class _Reader:
    """Groups the lines of one document into stretches."""

    def __init__(self, lines: Sequence[PdfLine]) -> None:
        self._lines = lines
        self._body = body_size(lines)
        self._leading = _usual_leading(lines, self._body)
        self._joiner = LineJoiner(text for line in lines for text in (line.text, *sum(line.rows, ())))
        sizes = sorted({round(line.size) for line in lines if line.size > LARGER * self._body}, reverse=True)
        self._levels = {size: level for level, size in enumerate(sizes, start=1)}
        self._left = Counter(round(line.left) for line in lines).most_common(1)[0][0]

    def stretches(self) -> Iterator[_Stretch]:
        """Yield headings, paragraphs, lists, tables and code, in order; footnotes come after the text above them."""
        current: _Stretch | None = None
        notes: list[_Stretch] = []
        for line in self._lines:
            if current is not None and self._is_note(line, current):
                self._add_note(notes, line)
                continue
            kind = self._kind(line, current)
            if current is not None and self._goes_on(current, kind, line):
                current.lines.append(line)
                continue
            yield from ([current] if current else []) + notes
            current, notes = _Stretch(kind, [line]), []
        yield from ([current] if current else []) + notes

    def write(self, stretch: _Stretch, builder: DocumentBuilder) -> None:
        """Add a stretch to the document as a block of its kind."""
        first = stretch.lines[0]
        rows = [row for line in stretch.lines for row in line.rows or (line.cells,)]
        if is_contents(["\t".join(row) for row in rows]):
            builder.block(BlockKind.FURNITURE, "\n".join(map(" ".join, rows)), first.page)
        elif stretch.kind == "heading":
            text = self._join(stretch.lines)
            builder.heading(text, self._levels.get(round(first.size), len(self._levels) + 1), first.page)
        elif stretch.kind == "list":
            self._write_items(stretch.lines, builder)
        elif stretch.kind == "table":
            self._write_table(stretch.lines, builder)
        elif stretch.kind == "code":
            builder.code("\n".join(line.text for line in stretch.lines), page=first.page)
        else:
            kind = BlockKind.CAPTION if _CAPTION.match(first.text) else BlockKind.PARAGRAPH
            builder.block(kind, self._join(stretch.lines), first.page)

    def _is_note(self, line: PdfLine, current: _Stretch) -> bool:
        """Whether a line belongs to a footnote: smaller text, below running text that may continue on the next page."""
        return (
            not line.rows
            and current.kind in ("text", "list")
            and line.size < NOTE * self._body <= current.last.size * (1 + SAME_SIZE)
        )

    def _add_note(self, notes: list[_Stretch], line: PdfLine) -> None:
        if notes and self._goes_on(notes[-1], "text", line):
            notes[-1].lines.append(line)
        else:
            notes.append(_Stretch("text", [line]))

    def _kind(self, line: PdfLine, current: _Stretch | None) -> str:
        if line.rows:
            return "table"
        if self._is_heading(line, current):
            return "heading"
        if self._begins_item(line, current):
            return "list"
        if line.monospaced:
            return "code"
        return "list" if current is not None and current.kind == "list" and self._hangs(current, line) else "text"

    def _is_heading(self, line: PdfLine, current: _Stretch | None) -> bool:
        if len(line.text.split()) > MAX_HEADING or not re.search(r"[^\W\d_]", line.text):
            return False
        if line.size > LARGER * self._body:
            return True
        if not line.bold or line.size < self._body * (1 - SAME_SIZE) or _MARK.match(line.text):
            return False
        goes_on = current is not None and current.kind == "heading" and self._goes_on(current, "heading", line)
        return goes_on or not _NO_HEADING_END.search(line.text)

    def _begins_item(self, line: PdfLine, current: _Stretch | None) -> bool:
        """Whether a line begins with an item mark; a number must stand out by position or distance."""
        if _MARK.match(line.text):
            return True
        if not _NUMBERED.match(line.text):
            return False
        in_list = current is not None and current.kind == "list"
        stands_out = line.left > self._left + 2 or current is None or not self._follows(current.last, line)
        return in_list or stands_out

    def _hangs(self, current: _Stretch, line: PdfLine) -> bool:
        """Whether a line continues the item before it."""
        item = next((candidate for candidate in reversed(current.lines) if _is_marked(candidate)), current.lines[0])
        if line.page != current.last.page:
            return not _SENTENCE_END.search(current.last.text) and line.left > self._left
        return self._follows(current.last, line) and line.left > item.left + 1

    def _goes_on(self, current: _Stretch, kind: str, line: PdfLine) -> bool:
        last = current.last
        if kind != current.kind:
            return False
        if kind == "heading":
            return self._same_size(last, line) and last.bold == line.bold and self._follows(last, line)
        if kind == "list":
            return True
        if kind == "table":
            return line.page == last.page + 1 and len(line.rows[0]) == len(last.rows[0])
        if kind == "code":
            return line.page == last.page
        return self._same_size(last, line) and self._same_paragraph(last, line)

    def _same_paragraph(self, last: PdfLine, line: PdfLine) -> bool:
        """Whether a line continues the paragraph of another, possibly across pages or columns."""
        if line.page != last.page or line.y > last.y:
            return not _SENTENCE_END.search(last.text) and line.text[:1].islower()
        return self._follows(last, line)

    def _same_size(self, first: PdfLine, second: PdfLine) -> bool:
        return abs(first.size - second.size) <= SAME_SIZE * max(first.size, second.size)

    def _follows(self, last: PdfLine, line: PdfLine) -> bool:
        """Whether a line is directly below another."""
        usual = self._leading * max(1.0, line.size / self._body)
        return last.page == line.page and 0 < last.y - line.y <= FURTHER * usual

    def _write_items(self, lines: Sequence[PdfLine], builder: DocumentBuilder) -> None:
        items: list[list[PdfLine]] = []
        for line in lines:
            if _is_marked(line) or not items:
                items.append([])
            items[-1].append(line)
        lefts = sorted(item[0].left for item in items)
        deeper = [left for last, left in pairwise(lefts) if left - last >= INDENT]
        entries = [(*_parted(self._join(item)), bisect(deeper, item[0].left)) for item in items]
        if len(entries) == 1 and entries[0][0] != "-":  # a paragraph that begins with a number
            builder.paragraph(self._join(lines), lines[0].page)
        else:
            builder.marked_items(entries, lines[0].page)

    def _write_table(self, lines: Sequence[PdfLine], builder: DocumentBuilder) -> None:
        """Write a table that may go on on the next page, where its header may come again."""
        header, *rows = [row for line in lines for row in line.rows]
        table = [header, *(row for row in rows if row != header)]
        builder.table([[self._joiner.join(cell.split("\n")) for cell in row] for row in table], lines[0].page)

    def _join(self, lines: Sequence[PdfLine]) -> str:
        return self._joiner.join(line.text for line in lines)


def _parted(item: str) -> tuple[str, str]:
    """The marker of an item, and its text."""
    number = _NUMBERED.match(item)
    return (number[0].strip(), item[number.end() :]) if number else ("-", _MARK.sub("", item, count=1))


def _is_marked(line: PdfLine) -> bool:
    return bool(_MARK.match(line.text) or _NUMBERED.match(line.text))


def _usual_leading(lines: Sequence[PdfLine], body: float) -> float:
    """The most frequent distance between lines of the body."""
    counts: Counter[float] = Counter()
    for last, line in pairwise(lines):
        is_near = last.page == line.page and 0 < last.y - line.y <= MAX_LEADING * body
        if is_near and abs(line.size - body) < SAME_SIZE * body:
            counts[round(last.y - line.y)] += 1
    return counts.most_common(1)[0][0] if counts else 1.2 * body
