"""Opens a PDF and reads its pages. What cannot be read of it costs its page, never the file. Reading blocks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import fmean
from time import monotonic
from typing import BinaryIO, Final

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from ingest.content import BrokenContent
from ingest.documents import Omission, OmissionReason
from ingest.formats.pdf.drawing import read_page, read_scan
from ingest.formats.pdf.pages import PdfPage

FEW_GLYPHS: Final = 200
"""A page that a picture fills is a scan if it has no more; a stamp or a page number may stand on it."""


@dataclass(frozen=True, slots=True)
class PdfReading:
    """The pages of a file that can be read."""

    pages: tuple[PdfPage, ...]
    metadata: dict[str, str]
    """Which pages were read from pictures, and with what confidence."""
    omissions: tuple[Omission, ...]


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


def read_pages(document: pdfium.PdfDocument, deadline: float) -> PdfReading:
    """Read all pages; scans are read until the deadline, in seconds of the monotonic clock."""
    pages: list[PdfPage] = []
    omissions: list[Omission] = []
    confidences: dict[int, float] = {}
    for number in range(1, len(document) + 1):
        try:
            page = read_page(document, number)
            if _is_scan(page) and monotonic() < deadline:
                page, confidences[number] = read_scan(document, page)
        except pdfium.PdfiumError:
            omissions.append(Omission(OmissionReason.DAMAGED, f"page {number}"))
            continue
        if _is_scan(page) and not confidences.get(number):
            omissions.append(Omission(OmissionReason.PICTURE, f"page {number}"))
        omissions += page.omissions
        pages.append(page)
    return PdfReading(tuple(pages), _ocr_metadata(confidences), tuple(omissions))


def _is_scan(page: PdfPage) -> bool:
    return not page.glyphs or (page.is_picture and len(page.glyphs) <= FEW_GLYPHS)


def _ocr_metadata(confidences: dict[int, float]) -> dict[str, str]:
    read = {number: confidence for number, confidence in confidences.items() if confidence}
    if not read:
        return {}
    return {"ocr": f"pages {', '.join(map(str, read))}", "ocr_confidence": f"{fmean(read.values()):.2f}"}
