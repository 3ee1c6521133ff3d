"""Which lines of a PDF's pages are page furniture: headers, footers, page numbers. Pure; numbers chosen by hand."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

from ingest.documents import MAX_EXCERPT, Omission, OmissionReason
from ingest.formats.pdf.lines import PdfLine
from libs.language.known import any_word

EDGE_LINES: Final = 3
"""Lines at the head and foot of a page that may be furniture."""
ON_PAGES: Final = 0.3
"""Share of the pages on which a line at the edge must recur to be furniture."""
_NUMBER: Final = re.compile(r"\d+")


def without_furniture(pages: Sequence[Sequence[PdfLine]]) -> tuple[list[list[PdfLine]], tuple[Omission, ...]]:
    """Return the pages' lines without furniture, and of all alike lines left out the first, with their total length."""
    edges = [line for page in pages for line in _edges(page)]
    counts = Counter(shape for page in pages for shape in {_shape(line) for line in _edges(page)})
    least = max(2, ON_PAGES * len(pages))
    furniture = [line for line in edges if counts[_shape(line)] >= least or _page_number().match(line.text)]
    left_out = set(map(id, furniture))
    kept = [[line for line in page if id(line) not in left_out] for page in pages]
    return kept, tuple(_omissions(furniture))


def _omissions(furniture: Sequence[PdfLine]) -> Iterator[Omission]:
    for _, alike in groupby(sorted(furniture, key=_shape), key=_shape):
        first, *others = alike
        length = sum(len(line.text) for line in (first, *others))
        yield Omission(OmissionReason.FURNITURE, f"page {first.page}", first.text[:MAX_EXCERPT], length)


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
