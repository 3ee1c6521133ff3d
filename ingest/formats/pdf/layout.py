"""The lines of a PDF's pages with their size and position, and which of them are page furniture.

pypdf reports each run of text with its font and its position on the page; runs at one height form a line. Rotated text
(watermarks), line and footnote numbers, and text that recurs at the head or foot of the pages are left out. Numbers
that name no source are chosen by hand. CPU work alone.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from libs.language.known import any_word

if TYPE_CHECKING:
    from pypdf import PageObject

SMALL: Final = 0.75
"""Relative to a line's size: a smaller number is a line number or points to a footnote."""
CHARACTER_WIDTH, MONOSPACED_WIDTH = 0.5, 0.6
"""Approximate width of a letter, relative to its size."""
COLUMN_GAP: Final = 2.0
"""Distance between runs of different columns, relative to their size."""
EDGE_LINES: Final = 3
"""Lines at the head and foot of a page that may be furniture."""
ON_PAGES: Final = 0.3
"""Share of the pages on which a line at the edge must recur to be furniture."""
_NUMBER: Final = re.compile(r"\d+")
_ONLY_NUMBER: Final = re.compile(r"[\s\d,.*†‡¶–-]+\Z")
_INVISIBLE: Final = re.compile("[\0\u200b\u200c\u200d\u2060\ufeff\u00ad]")
_BOLD: Final = ("bold", "black", "heavy")
_MONOSPACED: Final = ("mono", "courier", "consol", "typewriter", "hack-", "menlo", "cmtt")


@dataclass(frozen=True, slots=True)
class TextRun:
    """A run of text in one font."""

    text: str
    x: float
    y: float
    """Upwards, in points."""
    size: float
    font: str
    """Its name in lower case."""

    @property
    def end(self) -> float:
        """Its approximate right end."""
        width = MONOSPACED_WIDTH if self.monospaced else CHARACTER_WIDTH
        return self.x + width * self.size * len(self.text.rstrip())

    @property
    def monospaced(self) -> bool:
        """Whether its font is monospaced."""
        return any(mark in self.font for mark in _MONOSPACED)


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line of a page."""

    cells: tuple[str, ...]
    """The text of each of its columns; usually there is one."""
    page: int
    """From 1."""
    x: float
    y: float
    size: float
    """The size of most of its characters, in points."""
    bold: bool = False
    """Whether all of its text is bold; `monospaced` likewise."""
    monospaced: bool = False

    @property
    def text(self) -> str:
        """Its text."""
        return " ".join(self.cells)


def page_lines(page: "PageObject", number: int) -> list[PdfLine]:
    """Return the lines of a page in the order of the file."""
    runs: list[TextRun] = []

    def visit(text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float) -> None:
        run = _run(text, cm, tm, font, size)
        if run is not None:
            runs.append(run)

    page.extract_text(visitor_text=visit)
    return [line for line in (_line(group, number) for group in _group_runs(runs)) if line is not None]


def body_size(lines: Sequence[PdfLine]) -> float:
    """The size of most characters, rounded to a tenth of a point."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[round(line.size, 1)] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 0.0


def without_furniture(pages: Sequence[Sequence[PdfLine]]) -> list[list[PdfLine]]:
    """Return the pages' lines without headers, footers, page numbers and footnote references."""
    body = body_size([line for page in pages for line in page])
    pages = [[line for line in page if not _points(line, body)] for page in pages]
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({_shape(line) for line in _edges(page)})
    repeated_shapes = {shape for shape, count in counts.items() if count >= max(2, ON_PAGES * len(pages))}
    return [list(_without_repeated(page, repeated_shapes)) for page in pages]


def _without_repeated(page: Sequence[PdfLine], repeated_shapes: set[str]) -> Iterator[PdfLine]:
    edges = set(map(id, _edges(page)))
    for line in page:
        if id(line) not in edges or not (_shape(line) in repeated_shapes or _page_number().match(line.text)):
            yield line


def _points(line: PdfLine, body: float) -> bool:
    return line.size < (1 + SMALL) / 2 * body and _ONLY_NUMBER.match(line.text) is not None


def _edges(page: Sequence[PdfLine]) -> list[PdfLine]:
    """The lines nearest to the head and the foot of a page."""
    by_height = sorted(page, key=lambda line: line.y)
    return [*by_height[:EDGE_LINES], *by_height[max(EDGE_LINES, len(by_height) - EDGE_LINES) :]]


def _shape(line: PdfLine) -> str:
    return _NUMBER.sub("#", line.text.lower())


def _run(text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float) -> TextRun | None:
    text = _INVISIBLE.sub("", text.strip("\n").replace("\n", " "))
    a, b = tm[0] * cm[0] + tm[1] * cm[2], tm[0] * cm[1] + tm[1] * cm[3]
    scale = (a * a + b * b) ** 0.5
    if not text or abs(b) > 0.1 * scale:  # empty or rotated
        return None
    x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
    y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
    return TextRun(text, x, y, abs(size * scale), str((font or {}).get("/BaseFont", "")).lower())


def _group_runs(runs: Sequence[TextRun]) -> Iterator[list[TextRun]]:
    """Group runs at about the same height into lines; small ones may be above or below the line."""
    line: list[TextRun] = []
    for run in runs:
        if line and _is_apart(line, run):
            yield line
            line = []
        line.append(run)
    if line:
        yield line


def _is_apart(line: Sequence[TextRun], run: TextRun) -> bool:
    largest = max(line_run.size for line_run in line)
    return abs(run.y - median(line_run.y for line_run in line)) > 0.6 * max(min(largest, run.size), 0.5 * largest)


def _line(runs: Sequence[TextRun], page: int) -> PdfLine | None:
    sizes: dict[float, int] = defaultdict(int)
    for run in runs:
        sizes[round(run.size, 1)] += len(run.text.strip())
    size = max(sizes, key=lambda key: (sizes[key], key))
    inline_runs = [
        run for run in runs if not (run.size < SMALL * size and _ONLY_NUMBER.match(run.text) and run.text.strip())
    ]
    text_runs = [run for run in inline_runs if run.text.strip()]
    cells = tuple(_cells(inline_runs))
    if not cells:
        return None
    word_runs = [run for run in text_runs if any(map(str.isalnum, run.text))]
    return PdfLine(
        cells,
        page,
        min(run.x for run in text_runs),
        text_runs[0].y,
        size,
        bold=bool(word_runs) and all(any(mark in run.font for mark in _BOLD) for run in word_runs),
        monospaced=bool(word_runs) and all(run.monospaced for run in word_runs),
    )


def _cells(runs: Sequence[TextRun]) -> Iterator[str]:
    """Yield the text of each column."""
    cell = ""
    end: float | None = None
    for run in runs:
        if end is not None and run.text.strip() and run.x - end > COLUMN_GAP * run.size and cell.strip():
            yield " ".join(cell.split())
            cell = ""
        cell += run.text
        end = max(run.end, end or run.end) if run.text.strip() else end
    if cell.strip():
        yield " ".join(cell.split())


@lru_cache(maxsize=1)
def _page_number() -> re.Pattern[str]:
    """Match `Page 3 of 12`, `- iv -`, `第 3 页`; compiled with the first file."""
    pages = any_word(lambda language: language.page_words)
    return re.compile(
        rf"\W*(?:{pages}|第)?\s*(?:\d{{1,4}}|[ivxlc]{{1,7}})(?:\s*(?:/|of|von|de|sur)\s*\d{{1,4}})?\s*(?:{pages})?\W*\Z",
        re.IGNORECASE,
    )
