"""Which lines of a PDF's pages are page furniture: headers, footers, page numbers. Pure; numbers chosen by hand."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from ingest.documents import Omission, OmissionReason
from ingest.formats.pdf.lines import PdfLine, body_size, is_small_number
from libs.language.known import any_word

EDGE_LINES: Final = 3
"""Lines at the head and foot of a page that may be furniture."""
ON_PAGES: Final = 0.3
"""Share of the pages on which a line at the edge must recur to be furniture."""
_NUMBER: Final = re.compile(r"\d+")


def without_furniture(pages: Sequence[Sequence[PdfLine]]) -> tuple[list[list[PdfLine]], tuple[Omission, ...]]:
    """Return the pages' lines without furniture, and of all alike lines left out the first, with their total length."""
    body = body_size([line for page in pages for line in page])
    numbered = [[line for line in page if not is_small_number(line, body)] for page in pages]
    counts: Counter[str] = Counter()
    for page in numbered:
        counts.update({_shape(line) for line in _edges(page)})
    repeated_shapes = {shape for shape, count in counts.items() if count >= max(2, ON_PAGES * len(pages))}
    kept = [list(_without_repeated(page, repeated_shapes)) for page in numbered]
    return kept, tuple(_omissions(pages, {id(line) for page in kept for line in page}))


def _omissions(pages: Sequence[Sequence[PdfLine]], kept: set[int]) -> Iterator[Omission]:
    lengths: Counter[str] = Counter()
    firsts: dict[str, PdfLine] = {}
    for line in (line for page in pages for line in page if id(line) not in kept):
        lengths[_shape(line)] += len(line.text)
        firsts.setdefault(_shape(line), line)
    for shape, line in firsts.items():
        yield Omission(OmissionReason.FURNITURE, f"page {line.page}", line.text[:80], lengths[shape])


def _without_repeated(page: Sequence[PdfLine], repeated_shapes: set[str]) -> Iterator[PdfLine]:
    edges = set(map(id, _edges(page)))
    for line in page:
        if id(line) not in edges or not (_shape(line) in repeated_shapes or _page_number().match(line.text)):
            yield line


def _edges(page: Sequence[PdfLine]) -> list[PdfLine]:
    """The lines nearest to the head and the foot of a page."""
    by_height = sorted((line for line in page if not line.rows), key=lambda line: line.y)
    return [*by_height[:EDGE_LINES], *by_height[max(EDGE_LINES, len(by_height) - EDGE_LINES) :]]


def _shape(line: PdfLine) -> str:
    return _NUMBER.sub("#", line.text.lower())


@lru_cache(maxsize=1)
def _page_number() -> re.Pattern[str]:
    """Match `Page 3 of 12`, `- iv -`, `第 3 页`; compiled with the first file."""
    pages = any_word(lambda language: language.page_words)
    return re.compile(
        rf"\W*(?:{pages}|第)?\s*(?:\d{{1,4}}|[ivxlc]{{1,7}})(?:\s*(?:/|of|von|de|sur)\s*\d{{1,4}})?\s*(?:{pages})?\W*\Z",
        re.IGNORECASE,
    )
