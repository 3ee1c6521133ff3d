"""Opens a PDF and reads its pages. What cannot be read of it costs its page, never the file. Reading blocks."""

from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import BinaryIO, Final

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from ingest.content import BrokenContent
from ingest.documents import Omission, OmissionReason
from ingest.formats.ocr import DPI, LEAST_SIDE, MAX_PICTURES, is_installed
from ingest.formats.pdf.drawing import read_insets, read_page, read_scan
from ingest.formats.pdf.pages import Box, PdfPage

FEW_GLYPHS: Final = 200
"""A page that a picture fills is a scan if it has no more; a stamp or a page number may stand on it."""


@contextmanager
def open_pdf(stream: BinaryIO) -> Iterator[pdfium.PdfDocument]:
    """Open a PDF; one that is encrypted with an empty password, as many are, opens as well.

    Raises:
        BrokenContent: the file requires a password.
    """
    try:
        document = pdfium.PdfDocument(stream)
    except pdfium.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise BrokenContent("is encrypted: remove its password first") from None
        raise
    try:
        document.init_forms()
        yield document
    finally:
        document.close()


def read_pages(document: pdfium.PdfDocument, deadline: float, left_out: Container[int]) -> Iterator[PdfPage]:
    """Yield all pages, some without what they show; scans are read until the deadline, in seconds of `monotonic`."""
    seen = set[int]()
    for number in range(1, len(document) + 1):
        try:
            if number in left_out:
                raise pdfium.PdfiumError("It takes too much memory or time.")
            page = read_page(document, number)
            if _is_scan(page) and monotonic() < deadline:
                page = read_scan(document, page)
            elif is_installed() and not _is_scan(page):
                page = _with_insets(document, page, seen, deadline)
        except pdfium.PdfiumError:
            page = PdfPage(number, Box(0, 0, 0, 0), (), omissions=(Omission(OmissionReason.DAMAGED, f"page {number}"),))
        else:
            if _is_scan(page) and not page.confidence:
                missed = Omission(OmissionReason.PICTURE, f"page {number}")
                page = replace(page, omissions=(missed, *page.omissions))
        yield page


def _with_insets(document: pdfium.PdfDocument, page: PdfPage, seen: set[int], deadline: float) -> PdfPage:
    """A page with the text of its pictures; small ones, copies, and those that are too many or too late are named."""
    places, omissions = list[Box](), list[Omission]()
    for box, number in page.insets:
        is_ornament = number in seen or min(box.right - box.left, box.top - box.bottom) < LEAST_SIDE * 72 / DPI
        if is_ornament or len(seen) >= MAX_PICTURES or monotonic() > deadline:
            reason = OmissionReason.FURNITURE if is_ornament else OmissionReason.PICTURE
            omissions.append(Omission(reason, f"page {page.number}", "picture"))
        else:
            places.append(box)
            seen.add(number)
    read = read_insets(document, page, places) if places else page
    if not read.confidence:
        omissions += [Omission(OmissionReason.PICTURE, f"page {page.number}")] * len(places)
    return replace(read, omissions=(*omissions, *page.omissions))


def _is_scan(page: PdfPage) -> bool:
    return not page.glyphs or (page.is_picture and len(page.glyphs) <= FEW_GLYPHS)
