"""Opens a PDF and reads its pages. What cannot be read of it costs its page, never the file. Reading blocks."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from statistics import fmean
from time import monotonic
from typing import BinaryIO, Final

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from ingest.content import BrokenContent
from ingest.documents import Omission, OmissionReason
from ingest.formats.pdf.drawing import read_page, read_scan
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


def read_pages(document: pdfium.PdfDocument, deadline: float) -> Iterator[PdfPage]:
    """Yield all pages; scans are read until the deadline, in seconds of the monotonic clock."""
    for number in range(1, len(document) + 1):
        try:
            page = read_page(document, number)
            if _is_scan(page) and monotonic() < deadline:
                page = read_scan(document, page)
        except pdfium.PdfiumError:
            page = PdfPage(number, Box(0, 0, 0, 0), (), omissions=(Omission(OmissionReason.DAMAGED, f"page {number}"),))
        else:
            if _is_scan(page) and not page.confidence:
                missed = Omission(OmissionReason.PICTURE, f"page {number}")
                page = replace(page, omissions=(missed, *page.omissions))
        yield page


def _is_scan(page: PdfPage) -> bool:
    return not page.glyphs or (page.is_picture and len(page.glyphs) <= FEW_GLYPHS)


def ocr_metadata(pages: Iterable[PdfPage]) -> dict[str, str]:
    """Which pages were read from pictures, and with what confidence."""
    confidences = {page.number: page.confidence for page in pages if page.confidence}
    if not confidences:
        return {}
    return {"ocr": f"pages {', '.join(map(str, confidences))}", "ocr_confidence": f"{fmean(confidences.values()):.2f}"}
