"""A page's picture marks the cited words, wherever and however they are set."""

import io
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from itertools import count

import pytest
from PIL import Image

from libs.contracts.spans import Span
from libs.runtime.errors import FailedPrecondition
from services.retrieve.corpus.documents import Document
from services.retrieve.pages.drawing import PICTURE_BYTES
from services.retrieve.pages.pages import PagePicture, PagePictures, WordBox
from tests.fakes.pdf_pages import Set, set_pdf
from tests.unit.ingest.structures import read_one

SPANS = 500
WIDTH, HEIGHT, SIZE = 595, 842, 9
ADVANCE = 0.6 * SIZE
"""Of a character of Courier."""
Edges = tuple[float, float, float, float]


@pytest.fixture
async def pages() -> AsyncIterator[PagePictures]:
    with closing(PagePictures()) as pictures:
        yield pictures


def document_of(data: bytes) -> Document:
    read = read_one("a.pdf", data)
    return Document("a.pdf", read.text, structure=read.structure, original=read.original)


def turned(data: bytes) -> bytes:
    """The PDF with every second page turned by a quarter."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    for page in writer.pages[1::2]:
        page.rotate(90)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


class Library:
    """A PDF whose words are all different, so that it is known where each stands."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[int, Edges]] = {}
        self._words = (f"w{number}x" for number in count(1000))
        columns = [(50.0,), (50.0, 320.0), (50.0,), (50.0, 320.0)]
        data = turned(set_pdf([list(self._lines(number, xs)) for number, xs in enumerate(columns, 1)]))
        self.document = document_of(data)

    def _lines(self, page: int, columns: tuple[float, ...]) -> Iterator[Set]:
        length = 13 if len(columns) == 1 else 7
        for x in columns:
            for y in range(780, 80, -12):
                words = [next(self._words) for _ in range(length)]
                for place, word in enumerate(words):
                    left = x + place * 7 * ADVANCE
                    self.places[word] = page, (left, y, left + len(word) * ADVANCE, y + 0.6 * SIZE)
                yield Set(" ".join(words), SIZE, "mono", x, y=y)

    def shares(self, word: str) -> Edges:
        """Where a word is, as shares of the picture."""
        page, (left, bottom, right, top) = self.places[word]
        across, down = (left / WIDTH, right / WIDTH), (1 - top / HEIGHT, 1 - bottom / HEIGHT)
        if page % 2 == 0:
            across, down = (1 - down[1], 1 - down[0]), across
        return across[0], down[0], across[1], down[1]


def covered(edges: Edges, boxes: tuple[WordBox, ...]) -> float:
    """The share of a rectangle within boxes, which do not overlap."""
    left, top, right, bottom = edges
    parts = (
        max(0.0, min(right, box.right) - max(left, box.left)) * max(0.0, min(bottom, box.bottom) - max(top, box.top))
        for box in boxes
    )
    return sum(parts) / ((right - left) * (bottom - top))


async def test_the_boxes_of_cited_words_cover_them_and_no_others(pages: PagePictures) -> None:
    library, rng = Library(), random.Random(7)
    words = [word for word in library.document.text.split() if word in library.places]
    poor = 0
    for _ in range(SPANS):
        first = rng.randrange(len(words) - 12)
        cited = words[first : first + rng.randint(1, 12)]
        start = library.document.text.index(cited[0])
        picture = await pages.picture(library.document, Span(start, library.document.text.index(cited[-1]) + 6), 0)
        here = [word for word in cited if library.places[word][0] == picture.page]
        others = {word for word, (page, _) in library.places.items() if page == picture.page}.difference(cited)
        assert 2 * len(here) >= len(cited)
        shares = [covered(library.shares(word), picture.boxes) for word in here]
        poor += min(shares) < 0.9 or any(covered(library.shares(word), picture.boxes) > 0.5 for word in others)
    assert poor == 0


async def test_a_picture_is_small_and_can_be_read(pages: PagePictures) -> None:
    lines = [Set("The valve opens at noon, and"), Set("it closes at one.")]
    picture = await pages.picture(document_of(set_pdf([lines])), Span(32, 38), 0)
    assert (picture.page, picture.pages, len(picture.data) <= PICTURE_BYTES) == (1, 1, True)
    image = Image.open(io.BytesIO(picture.data))
    assert image.size == (picture.width, picture.height) == (850, 1203)
    (box,) = picture.boxes
    edges = (box.left * picture.width, box.top * picture.height, box.right * picture.width, box.bottom * picture.height)
    assert image.convert("L").crop(tuple(map(round, edges))).getextrema()[0] < 100, "there is black within the box"
    assert box.line == 2


async def test_words_on_the_next_page_are_found_there_and_a_wanted_page_is_shown_without_them(
    pages: PagePictures,
) -> None:
    rows = [[Set("Plant\tLeast"), *(Set(f"Plant {page}{row}\t{row}") for row in range(9))] for page in "AB"]
    document = document_of(set_pdf(rows))
    start = document.text.index("Plant B5")
    found: PagePicture = await pages.picture(document, Span(start, start + 8), 0)
    assert (found.page, len(found.boxes)) == (2, 1)
    assert (await pages.picture(document, Span(start, start + 8), 1)).boxes == ()


@pytest.mark.parametrize("data", [b"%PDF-1.7 broken", b""])
async def test_a_damaged_file_is_refused_and_the_next_one_drawn(pages: PagePictures, data: bytes) -> None:
    with pytest.raises(FailedPrecondition, match="Page 1"):
        await pages.picture(Document("a.pdf", "x", original=data), Span(), 0)
    assert (await pages.picture(document_of(set_pdf([[Set("A")]])), Span(), 1)).boxes == ()
