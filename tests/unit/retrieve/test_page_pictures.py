"""A page's picture marks the cited words, wherever and however they are set."""

import asyncio
import io
import random
from collections.abc import AsyncIterator
from contextlib import closing
from itertools import count

import pytest
from PIL import Image

from libs.contracts.spans import Span
from libs.runtime.errors import FailedPrecondition
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.originals import Original
from services.retrieve.pages.drawing import PICTURE_BYTES
from services.retrieve.pages.pages import MAX_LINES, PagePictures, WordBox
from tests.fakes.pdf_pages import Set, set_pdf
from tests.unit.ingest.structures import read_one

SPANS = 500
WIDTH, HEIGHT, SIZE = 595, 842, 9
ADVANCE = 0.6 * SIZE  # of a character of Courier
Edges = tuple[float, float, float, float]


@pytest.fixture
async def pages() -> AsyncIterator[PagePictures]:
    with closing(PagePictures(lambda original: original.document.original)) as pictures:
        yield pictures


def stored(document: Document) -> Original:
    return Original(document, 1, document.original)


def document_of(data: bytes) -> Document:
    read = read_one("a.pdf", data)
    return Document("a.pdf", read.text, structure=read.structure, original=read.original)


def library() -> tuple[Document, dict[str, tuple[int, Edges]]]:
    """A PDF whose words are all different, its even pages turned, and where each word is, as shares of its page."""
    from pypdf import PdfReader, PdfWriter

    places: dict[str, tuple[int, Edges]] = {}
    lines: list[list[Set]] = []
    numbers = count(1000)
    for page in range(1, 5):
        lines.append([])
        for y in range(780, 80, -12):
            words = [f"w{next(numbers)}x" for _ in range(13)]
            lines[-1].append(Set(" ".join(words), SIZE, "mono", y=y))
            for column, word in enumerate(words):
                across = [(50 + (7 * column + place) * ADVANCE) / WIDTH for place in (0, 6)]
                down = [1 - (y + height) / HEIGHT for height in (0.6 * SIZE, 0)]
                if page % 2 == 0:
                    across, down = [1 - edge for edge in reversed(down)], across
                places[word] = page, (across[0], down[0], across[1], down[1])
    writer, out = PdfWriter(clone_from=PdfReader(io.BytesIO(set_pdf(lines)))), io.BytesIO()
    for pdf_page in writer.pages[1::2]:
        pdf_page.rotate(90)
    writer.write(out)
    return document_of(out.getvalue()), places


def covered(edges: Edges, boxes: tuple[WordBox, ...]) -> float:
    """The share of a rectangle within boxes, which do not overlap."""
    left, top, right, bottom = edges
    widths = [max(0, min(right, box.right) - max(left, box.left)) for box in boxes]
    heights = [max(0, min(bottom, box.bottom) - max(top, box.top)) for box in boxes]
    return sum(w * h for w, h in zip(widths, heights, strict=True)) / ((right - left) * (bottom - top))


async def test_the_boxes_of_cited_words_cover_them_and_no_others(pages: PagePictures) -> None:
    (document, places), rng = library(), random.Random(7)
    words = [word for word in document.text.split() if word in places]
    for _ in range(SPANS):
        first = rng.randrange(len(words) - 12)
        cited = words[first : first + rng.randint(1, 12)]
        span = Span(document.text.index(cited[0]), document.text.index(cited[-1]) + 6)
        picture = await pages.picture(stored(document), span, 0)
        shares = {word: covered(edges, picture.boxes) for word, (page, edges) in places.items() if page == picture.page}
        assert 2 * len(shares.keys() & set(cited)) >= len(cited)
        assert all(share > 0.9 if word in cited else share < 0.5 for word, share in shares.items())


async def test_a_picture_is_small_and_can_be_read(pages: PagePictures) -> None:
    lines = [Set("The valve opens at noon, and"), Set("it closes at one.")]
    picture = await pages.picture(stored(document_of(set_pdf([lines]))), Span(32, 38), 0)
    image, (box,) = Image.open(io.BytesIO(picture.data)).convert("L"), picture.boxes
    assert image.size == (picture.width, picture.height) == (850, 1203)
    inside = image.crop((box.left * 850, box.top * 1203, box.right * 850, box.bottom * 1203))
    assert (len(picture.data) < PICTURE_BYTES, box.line, min(inside.tobytes()) < 100) == (True, 2, True)


async def test_words_on_the_next_page_are_found_there_but_not_on_another_page(pages: PagePictures) -> None:
    rows = [[Set("Plant\tLeast"), *(Set(f"Plant {page}{row}\t{row}") for row in range(9))] for page in "AB"]
    document = document_of(set_pdf(rows))
    span = Span(document.text.index("Plant B5"), document.text.index("Plant B5") + 8)
    found = [await pages.picture(stored(document), span, number) for number in (0, 1)]
    assert [(picture.page, len(picture.boxes)) for picture in found] == [(2, 1), (1, 0)]


async def test_a_page_of_countless_lines_gives_a_small_response(pages: PagePictures) -> None:
    lines = [Set(f"{number:04}", 1, y=780 - 3 * number) for number in range(MAX_LINES + 50)]
    text = " ".join(line.text for line in lines)
    picture = await pages.picture(stored(Document("a", text, original=set_pdf([lines]))), Span(0, len(text)), 1)
    assert len(picture.boxes) == MAX_LINES


async def test_a_file_is_read_for_a_page_that_is_not_kept_and_whose_caller_still_waits() -> None:
    read = list[str]()
    slow, given_up, short = (stored(Document(name, original=set_pdf(3 * [[]]) + name.encode())) for name in "abc")

    def load(original: Original) -> bytes:
        read.append(original.document.document_id)
        return original.fingerprint

    with closing(PagePictures(load)) as pictures:
        callers = [asyncio.create_task(pictures.picture(each, Span(), 1)) for each in (slow, given_up)]
        await asyncio.sleep(0)
        callers[1].cancel()
        for number in (1, 2, 1):
            assert (await pictures.picture(short, Span(), number)).page == number
    assert read == ["a", "c", "c"]


async def test_after_a_damaged_file_and_a_call_that_was_given_up_the_next_one_is_drawn(pages: PagePictures) -> None:
    files = b"%PDF", set_pdf(99 * [[]]), set_pdf([[]])
    broken, long, short = (stored(Document("a", original=data)) for data in files)
    with pytest.raises(FailedPrecondition, match="Page 1"):
        await pages.picture(broken, Span(), 0)
    given_up = asyncio.create_task(pages.picture(long, Span(), 1))
    await asyncio.sleep(0.005)
    given_up.cancel()
    assert (await pages.picture(short, Span(), 1)).pages == 1
