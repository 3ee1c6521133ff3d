"""The page that a document's words come from: its picture, and boxes around the words.

The file is a stranger's, so a process of its own draws it. Nothing of it is indexed: the words are found again on the
page. Drawn pages are kept for a while in memory, where nobody finds them who may not see the document.
"""

import asyncio
import json
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import accumulate, groupby, islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.contracts.spans import Span
from libs.runtime.errors import FailedPrecondition
from libs.runtime.extras import remedy
from libs.runtime.isolation import IsolatedProcess
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.originals import Original
from services.retrieve.pages.finding import find_words

SECONDS: Final = 10.0
"""Longest wait for a page (taste); the slowest of two PDFs' 48 pages takes a third of a second."""
MEMORY: Final = 1024**3
"""Bytes that the process may use: it shares a container's with the search."""
PART_BYTES: Final = 8 * 1024 * 1024
"""Largest part of a page that the process may hand over."""
KEPT: Final = 64
"""Pages in memory, each of about 0.2 MB (taste)."""
MAX_PAGES: Final = 3
"""Pages on which words are looked for, from the one on which their block begins; a table may go over more."""
MAX_WORDS: Final = 65_536
"""Characters that are looked for: the limit of a passage."""
MAX_LINES: Final = 2000
"""Lines with words, of some 100 that a page has; more come only from a file that is made to have them."""
MAX_AROUND: Final = 1000
"""Characters before and after the words that help to find them."""


@dataclass(frozen=True, slots=True)
class WordBox:
    """Words beside each other on one line (from 1); edges are shares of the picture's width and height."""

    line: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page, from 1, with the words that were looked for."""

    page: int
    pages: int
    media_type: str
    data: bytes
    width: int
    height: int
    boxes: tuple[WordBox, ...] = ()


@dataclass(frozen=True, slots=True)
class _DrawnPage:
    picture: PagePicture
    text: str
    boxes: NDArray[np.float32]
    """One row per character: left, top, right, bottom."""

    def marked(self, places: Sequence[int]) -> PagePicture:
        """The picture with boxes around characters, line by line."""
        lines = list(accumulate((character == "\n" for character in self.text), initial=1))
        found = islice(groupby(places, key=lines.__getitem__), MAX_LINES)
        rows = ((line, self.boxes[list(own)]) for line, own in found)
        boxes = (
            WordBox(line, *own[:, :2].min(axis=0).tolist(), *own[:, 2:].max(axis=0).tolist()) for line, own in rows
        )
        return replace(self.picture, boxes=tuple(boxes))


class PagePictures:
    """Draws pages in one thread, one after another, however many callers wait or have left. Close it."""

    def __init__(self, load: Callable[[Original], bytes]) -> None:
        """`load` reads a document's file from the store; blocks."""
        self._load = load
        self._process = IsolatedProcess(_draw, MEMORY)
        self._thread = ThreadPoolExecutor(1, "pages")
        self._kept: OrderedDict[tuple[bytes, int], _DrawnPage] = OrderedDict()

    async def picture(self, original: Original, words: Span, number: int) -> PagePicture:
        """A page of a document, from 1, or with 0 the one that has most of the words, with boxes around them.

        Raises:
            FailedPrecondition: it cannot be drawn, or there is none.
        """
        words = Span(words.start, min(words.end, words.start + MAX_WORDS))
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._picture, original, words, number)

    def close(self) -> None:
        """End the process and the thread; who waits fails."""
        self._process.interrupt()
        self._thread.shutdown(cancel_futures=True)
        self._process.close()

    def _picture(self, original: Original, words: Span, number: int) -> PagePicture:
        page = number or _first_page(original.document, words)
        around = Span(max(0, words.start - MAX_AROUND), words.end + MAX_AROUND)
        text, own = around.of(original.document.text), Span(words.start - around.start, words.end - around.start)
        found: list[tuple[list[int], _DrawnPage]] = []
        while True:
            drawn = self._page(original, page)
            places = find_words(drawn.text, text, own)
            found.append((places, drawn))
            is_found, is_last = 2 * len(places) >= own.end - own.start, page == drawn.picture.pages
            if number or is_found or is_last or len(found) == MAX_PAGES:
                break
            page += 1
        places, drawn = max(found, key=lambda pair: len(pair[0]))
        return drawn.marked(places)

    def _page(self, original: Original, number: int) -> _DrawnPage:
        key = original.fingerprint, number
        page = self._kept.pop(key, None) or self._drawn(original, number)
        self._kept[key] = page
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return page

    def _drawn(self, original: Original, number: int) -> _DrawnPage:
        if find_spec("pypdfium2") is None:
            raise FailedPrecondition("ENGINE_UNAVAILABLE", remedy("documents"))
        parts: list[bytes] = []
        with suppress(EOFError, OSError):
            parts = list(self._process.run((self._load(original), number), SECONDS, PART_BYTES))
        if not parts:
            raise FailedPrecondition("DOCUMENT_UNUSABLE", f"Page {number} of the file cannot be drawn.")
        facts = json.loads(parts[0])
        text = facts.pop("text")
        boxes = np.frombuffer(parts[1], np.float32).reshape(-1, 4)
        return _DrawnPage(PagePicture(number, data=parts[2], **facts), text, boxes)


def _draw(request: tuple[bytes, int]) -> Iterator[bytes]:
    from services.retrieve.pages.drawing import draw_page  # imports pdfium, which only the child may run

    return draw_page(*request)


def _first_page(document: Document, words: Span) -> int:
    """The page on which the block of words begins."""
    blocks = document.structure.blocks if document.structure is not None else ()
    place = bisect_right(blocks, words.start, key=lambda block: block.span.start)
    return max([1, *(block.page for block in blocks[:place][-1:])])
