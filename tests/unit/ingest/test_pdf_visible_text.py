"""PDF: only what a reader sees is text; the rest is named, and what a reader fills in is text as well."""

import re

import pytest

from ingest.documents import Omission, OmissionReason, ParsedDocument
from tests.fakes import office_files
from tests.fakes.pdf_pages import Field, draw_pdf
from tests.unit.ingest.structures import read_one

SEEN = "BT 0 Tr 0 g /plain 12 Tf 1 0 0 1 72 720 Tm (The award is 485,000 USD.) Tj ET"
SECRET = "The award is 1 USD."


def read_page(content: str, *fields: Field, **page: object) -> ParsedDocument:
    return read_one("award.pdf", draw_pdf([content], fields, **page))  # type: ignore[arg-type]


def hidden(document: ParsedDocument) -> list[str]:
    return [omission.excerpt for omission in document.omissions if omission.reason is OmissionReason.HIDDEN]


@pytest.mark.parametrize(
    "secret",
    [
        f"BT 3 Tr /plain 12 Tf 1 0 0 1 72 690 Tm ({SECRET}) Tj ET",
        f"BT 1 g /plain 12 Tf 1 0 0 1 72 690 Tm ({SECRET}) Tj ET",
        f"0 0 1 rg 60 680 300 30 re f BT 0 0 1 rg /plain 12 Tf 1 0 0 1 72 690 Tm ({SECRET}) Tj ET",
        f"BT /plain 0.5 Tf 1 0 0 1 72 690 Tm ({SECRET}) Tj ET",
        f"BT /plain 12 Tf 1 0 0 1 900 1200 Tm ({SECRET}) Tj ET",
        f"BT /plain 12 Tf 1 0 0 1 72 690 Tm ({SECRET}) Tj ET 1 g 60 680 300 30 re f",
        f"BT /plain 12 Tf 1 0 0 1 72 690 Tm ({SECRET}) Tj ET q 300 0 0 30 60 680 cm /picture Do Q",
        f"q 0 0 10 10 re W n BT /plain 12 Tf 1 0 0 1 72 690 Tm ({SECRET}) Tj ET Q",
    ],
    ids=["mode", "white", "colour of its ground", "tiny", "off the page", "covered", "under a picture", "clipped"],
)
def test_text_that_no_reader_sees_is_named_and_is_no_text(secret: str) -> None:
    document = read_page(f"{secret} {SEEN}", picture=office_files.jpeg())
    assert document.text == "The award is 485,000 USD."
    hidden = [omission for omission in document.omissions if omission.reason is OmissionReason.HIDDEN]
    assert hidden == [Omission(OmissionReason.HIDDEN, "page 1", SECRET, len(SECRET))]


def test_text_outside_the_crop_box_is_hidden() -> None:
    document = read_page(f"{SEEN} BT /plain 12 Tf 1 0 0 1 72 400 Tm ({SECRET}) Tj ET", crop=(0, 600, 595, 842))
    assert document.text == "The award is 485,000 USD."
    assert hidden(document) == [SECRET]


@pytest.mark.parametrize(
    "ground",
    ["0 g 60 700 300 40 re f BT 1 g", "0 0 1 rg 60 700 300 40 re f BT 1 1 0 rg", "BT 0.8 g", "BT 1 Tr 0 G"],
    ids=["white on black", "yellow on blue", "light grey", "outlines"],
)
def test_text_of_any_colour_that_differs_from_its_ground_is_text(ground: str) -> None:
    document = read_page(f"{ground} /plain 12 Tf 1 0 0 1 72 720 Tm (Total: 5 USD.) Tj ET")
    assert document.text == "Total: 5 USD."
    assert not document.omissions


@pytest.mark.parametrize(("paint", "text"), [("0 g", "The valve.\n\n阀门在中午打开"), ("1 g", "The valve.")])
def test_text_in_a_font_that_the_machine_lacks_is_seen_unless_it_is_white(paint: str, text: str) -> None:
    valve = "阀门在中午打开".encode("utf-16-be").hex()
    lines = f"BT /plain 12 Tf 1 0 0 1 72 720 Tm (The valve.) Tj {paint} /chinese 12 Tf 0 -60 Td <{valve}> Tj ET"
    assert read_page(lines).text == text


def test_a_page_set_sideways_is_read() -> None:
    document = read_page("BT /plain 12 Tf 0 1 -1 0 300 100 Tm (The valve opens) Tj 0 -14 Td (at noon.) Tj ET")
    assert document.text == "The valve opens at noon."


def test_a_watermark_is_furniture() -> None:
    document = read_page(f"{SEEN} BT /plain 60 Tf .7 .7 -.7 .7 100 300 Tm (DRAFT) Tj ET")
    assert document.omissions == (Omission(OmissionReason.FURNITURE, "page 1", "DRAFT", 5),)


def test_what_recurs_at_the_head_of_pages_is_named_once() -> None:
    head = "BT /plain 8 Tf 1 0 0 1 72 800 Tm (The gardener's handbook) Tj ET"
    other = SEEN.replace("The award", "Its half")
    document = read_one("award.pdf", draw_pdf([f"{head} {SEEN}", f"{head} {other}"]))
    assert document.text == "The award is 485,000 USD.\n\nIts half is 485,000 USD."
    assert document.omissions == (Omission(OmissionReason.FURNITURE, "page 1", "The gardener's handbook", 46),)


def test_the_value_of_a_field_stands_beside_its_label() -> None:
    label = "BT /plain 12 Tf 1 0 0 1 72 720 Tm (Applicant:) Tj 0 -40 Td (City:) Tj ET"
    document = read_page(label, Field("Grace Hopper", (300, 714, 500, 734)), Field("Rome", (300, 674, 500, 694)))
    assert document.text == "Applicant: Grace Hopper\n\nCity: Rome"


def test_free_text_on_a_page_is_text_and_comments_and_hidden_fields_are_named() -> None:
    document = read_page(
        SEEN,
        Field("Paid on 9 June.", (72, 600, 300, 620), "/FreeText"),
        Field("Is this right?", (10, 10, 30, 30), "/Text"),
        Field("secret", (72, 500, 300, 520), flags=2),
    )
    assert document.text == "The award is 485,000 USD.\n\nPaid on 9 June."
    assert [(omission.reason, omission.excerpt) for omission in document.omissions] == [
        (OmissionReason.OBJECT, "Is this right?"),
        (OmissionReason.HIDDEN, "secret"),
    ]


def test_a_page_that_is_damaged_costs_that_page() -> None:
    data = draw_pdf([SEEN, SEEN.replace("485", "900")])
    first = re.search(rb"/Kids \[ (\d+) 0 R", data)
    assert first is not None
    broken = data.replace(b"\n%s 0 obj\n<<\n/Type /Page\n" % first[1], b"\n%s 0 obj\n<<\n/Type /Gone\n" % first[1])
    document = read_one("award.pdf", broken)
    assert document.text == "The award is 900,000 USD."
    assert document.omissions == (Omission(OmissionReason.DAMAGED, "page 1"),)
