"""Scans: pages without text are read from their picture, and the document says so."""

import io
import re
from collections import Counter

import pytest
from PIL import Image

from ingest.bounds import ReadingBounds
from ingest.content import Content
from ingest.documents import Omission, OmissionReason, ParsedDocument
from ingest.readers import read
from tests.fakes import office_files
from tests.fakes.pdf_pages import Set, draw_pdf, set_pdf

pytestmark = pytest.mark.slow

SENTENCES = (
    "The valve in the north garden opens at noon and stays open for twenty minutes in summer.",
    "In winter it is closed, because water freezes in the pipe and breaks it at its joints.",
    "A gardener drains it in October, when the last leaves have fallen from the oak trees.",
    "The budget for the year 2031 is 485,000 euros, of which the council pays two thirds.",
    "Whoever finds a leak calls the office at once and closes the main tap by the gate.",
    "Visitors may not touch the valve, although many of them would very much like to try.",
)
PAGES = [
    [Set(f"Chapter {page + 1}", 18), *(Set(SENTENCES[(page + line) % 6], 11, gap=4) for line in range(18))]
    for page in range(6)
]


def scanned(page: list[Set]) -> bytes:
    """A page at 200 dpi, turned by two degrees, as a JPEG of poor quality."""
    import pypdfium2

    picture = pypdfium2.PdfDocument(set_pdf([page]))[0].render(scale=200 / 72).to_pil().convert("RGB")
    out = io.BytesIO()
    picture.rotate(2, fillcolor="white", resample=Image.Resampling.BICUBIC).save(out, "JPEG", quality=60)
    return out.getvalue()


def read_one(data: bytes, bounds: ReadingBounds | None = None) -> ParsedDocument:
    (document,) = read(Content("scan.pdf", "scan.pdf", "scan.pdf", data=data, bounds=bounds or ReadingBounds()))
    assert isinstance(document, ParsedDocument), document
    return document


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


@pytest.mark.timeout(600)
def test_six_poor_scans_give_nearly_all_of_their_words() -> None:
    found = Counter[str]()
    expected = Counter[str]()
    for page in PAGES:
        document = read_one(draw_pdf(["q 595 0 0 842 0 0 cm /picture Do Q"], picture=scanned(page)))
        assert document.metadata["ocr"] == "pages 1"
        assert float(document.metadata["ocr_confidence"]) > 0.9
        wanted = words(" ".join(line.text for line in page))
        found += words(document.text) & wanted
        expected += wanted
    assert found.total() >= 0.97 * expected.total()


@pytest.mark.parametrize(("place", "turn"), [("595 0 0 842 0 0", 0), ("0 842 -595 0 595 0", 90)])
def test_lines_of_a_scan_are_paragraphs_below_headings_whichever_way_it_lay(place: str, turn: int) -> None:
    import pypdfium2

    page = [Set("Watering", 20), Set("The valve opens at noon", gap=9), Set("and closes at one.")]
    pdf = pypdfium2.PdfDocument(draw_pdf([f"q {place} cm /picture Do Q"], picture=scanned(page)))
    pdf[0].set_rotation(turn)
    out = io.BytesIO()
    pdf.save(out)
    document = read_one(out.getvalue())
    assert document.text == "# Watering\n\nThe valve opens at noon and closes at one."


def inset(*lines: str) -> bytes:
    """A picture of lines, as is set into a text."""
    import pypdfium2

    page = pypdfium2.PdfDocument(set_pdf([[Set(line, 11) for line in lines]]))[0]
    out = io.BytesIO()
    page.render(scale=200 / 72, crop=(0, 700, 200, 0)).to_pil().convert("RGB").save(out, "JPEG")
    return out.getvalue()


PICTURE = "q 400 0 0 145 50 500 cm /picture Do Q"


def test_a_picture_within_a_page_is_read_at_its_place_and_its_copies_are_named() -> None:
    line = "BT /plain 11 Tf 50 {} Td ({}) Tj ET"
    pages = [f"{line.format(780, SENTENCES[at])} {PICTURE} {line.format(400, SENTENCES[at + 1])}" for at in (1, 3)]
    document = read_one(draw_pdf(pages, picture=inset(SENTENCES[0][:40], SENTENCES[4][:40])))
    words = f"{SENTENCES[0][:40].strip()} {SENTENCES[4][:40].strip()}"
    assert document.text == "\n\n".join((SENTENCES[1], words, *SENTENCES[2:5]))
    assert document.metadata["ocr"] == "pages 1"
    assert Omission(OmissionReason.FURNITURE, "page 2", "picture") in document.omissions


def test_large_letters_of_a_logo_are_no_heading() -> None:
    logo = "q 590 0 0 214 0 500 cm /picture Do Q"
    body = "BT /plain 9 Tf 1 0 0 1 72 300 Tm (The valve opens at noon and closes at one.) Tj ET"
    document = read_one(draw_pdf([f"{logo} {body}"], picture=inset("The Journal of Open", "Source Software")))
    assert "Journal" in document.text
    assert "#" not in document.text


@pytest.mark.parametrize("kind", ["docx", "pptx", "html"])
def test_a_picture_in_another_document_is_read_below_its_text(kind: str) -> None:
    data = getattr(office_files, kind)(picture=inset(SENTENCES[4][:40]))
    (document,) = read(Content(f"a.{kind}", f"a.{kind}", "a", data=data))
    assert isinstance(document, ParsedDocument)
    assert document.text.endswith(f"\n\n{SENTENCES[4][:40].strip()}")
    assert document.metadata["ocr"] == "pictures 1"
    assert not any(omission.reason is OmissionReason.PICTURE for omission in document.omissions)


def test_labels_of_a_diagram_are_no_text() -> None:
    data = office_files.docx(picture=inset("Reasoning", "Recognition", "Text Spotting"))
    (document,) = read(Content("a.docx", "a.docx", "a", data=data))
    assert isinstance(document, ParsedDocument)
    assert "Spotting" not in document.text
    assert any(omission.reason is OmissionReason.PICTURE for omission in document.omissions)


def test_a_page_of_which_nothing_can_be_read_is_named() -> None:
    text = "BT /plain 12 Tf 1 0 0 1 72 720 Tm (Water.) Tj ET"
    document = read_one(draw_pdf([text, "q 595 0 0 842 0 0 cm /picture Do Q"], picture=office_files.jpeg()))
    assert document.text == "Water."
    assert document.omissions == (Omission(OmissionReason.PICTURE, "page 2"),)
    assert "ocr" not in document.metadata


def test_scans_that_time_does_not_suffice_for_are_named() -> None:
    text = "BT /plain 12 Tf 1 0 0 1 72 720 Tm (Water.) Tj ET"
    data = draw_pdf([text, "q 595 0 0 842 0 0 cm /picture Do Q"], picture=scanned(PAGES[0]))
    assert read_one(data, ReadingBounds(seconds=0)).omissions == (Omission(OmissionReason.PICTURE, "page 2"),)
