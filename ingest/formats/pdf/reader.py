"""PDF: headings, paragraphs and lists by page layout, and JPEG pictures with their page's captions. Reading blocks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from time import monotonic
from typing import Final

import pypdfium2 as pdfium

from ingest.content import BrokenContent, Content, parsing
from ingest.detection.charsets import clean
from ingest.documents import Omission, OmissionReason, ReadResult, SourceImage
from ingest.formats.ocr import REMEDY, is_installed, ocr_metadata
from ingest.formats.pdf.blocks import build_pdf
from ingest.formats.pdf.file import open_pdf, read_pages
from ingest.formats.pdf.furniture import without_furniture
from ingest.formats.pdf.layout import page_lines
from ingest.formats.pdf.lines import PdfLine
from ingest.formats.pdf.pages import PdfPage
from ingest.formats.pdf.trying import TOO_LARGE, pages_too_large
from ingest.formats.pictures import select_pictures
from ingest.titles import is_made_up
from libs.contracts.structure import Structure
from libs.web.iso_dates import moment_stamp

_STATED: Final = ("Author", "Subject", "Keywords")
_CAPTION: Final = re.compile(
    r"^[ \t]*((?:Fig(?:ure|\.)?|Abb(?:ildung|\.)?|Bild|Photo)[ \t]*\d+[.:]?[ \t].*)$", re.M | re.I
)
_MOMENT: Final = re.compile(r"(?:D:)?(\d{8}(?:\d{2}){0,3})([+-]\d\d'?\d\d|Z)?")
SHARE_FOR_SCANS: Final = 0.75
"""Of the time for a document; pages that are still unread then are named."""


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document."""
    deadline = monotonic() + content.bounds.seconds * SHARE_FOR_SCANS
    left_out = pages_too_large(content)
    with content.open() as stream, parsing("PDF"), open_pdf(stream) as pdf:
        pages = list(read_pages(pdf, deadline, left_out))
        lines = [page_lines(page) for page in pages]
        kept, furniture = without_furniture(lines)
        text, structure = build_pdf(kept).build()
        title, date, metadata = _properties(pdf)
        beside = tuple(_beside(pdf))
    read_by_ocr = {page.number: page.confidence for page in pages if page.confidence}
    if not text:
        no_text = "contains no text" + ("" if is_installed() else f": {REMEDY}")
        raise BrokenContent(TOO_LARGE if left_out else no_text)
    pictures = [image for page, own in zip(pages, lines, strict=True) for image in _captioned(page, own)]
    images, unselected = select_pictures(pictures, content.bounds)
    document = content.document(
        text,
        title=title or _largest_heading(structure),
        date=date,
        metadata={**metadata, "pages": str(len(pages)), **unselected, **ocr_metadata("pages", read_by_ocr)},
        images=images,
        structure=structure,
        omissions=tuple(omission for page in pages for omission in page.omissions) + furniture + beside,
    )
    yield replace(document, original=content.original())


def _largest_heading(structure: Structure) -> str:
    """The largest heading on the first page; empty if there is none."""
    first = [section for section in structure.sections[1:] if section.page == 1]
    return min(first, key=lambda section: section.level).heading if first else ""


def _properties(pdf: pdfium.PdfDocument) -> tuple[str, str, dict[str, str]]:
    """Title, date and metadata such as the author, as the file states them."""
    properties = pdf.get_metadata_dict()
    title = " ".join(clean(properties["Title"]).split())
    return (
        "" if is_made_up(title) else title,
        _moment(properties["CreationDate"]) or _moment(properties["ModDate"]),
        {name.lower(): text for name in _STATED if (text := clean(properties[name]))},
    )


def _beside(pdf: "pdfium.PdfDocument") -> Iterator[Omission]:
    """What a file holds beside its pages."""
    for bookmark in pdf.get_toc():
        yield Omission.of(OmissionReason.FURNITURE, "bookmarks", bookmark.get_title())
    for index in range(pdf.count_attachments()):
        yield Omission.of(OmissionReason.OBJECT, "attachments", clean(pdf.get_attachment(index).get_name()))


def _moment(written: str) -> str:
    """A moment as PDF writes it, in ISO 8601; empty if it is none."""
    match = _MOMENT.match(written)
    if not match:
        return ""
    digits, zone = match[1].ljust(14, "0"), (match[2] or "Z").replace("'", "")
    try:
        return moment_stamp(datetime.strptime(f"{digits}{zone}", "%Y%m%d%H%M%S%z"))
    except ValueError:
        return ""


def _captioned(page: PdfPage, lines: Sequence[PdfLine]) -> Iterator[SourceImage]:
    """Yield the pictures of a page; the page's captions are assigned in order."""
    captions = [line.text for line in lines if _CAPTION.match(line.text)]
    for place, image in enumerate(page.pictures):
        yield replace(image, caption=captions[place] if place < len(captions) else "")
