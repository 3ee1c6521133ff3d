"""PDF: headings, paragraphs and lists by page layout, and JPEG pictures with their page's captions. Reading blocks."""

import logging
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from ingest.content import BrokenContent, Content, parsing
from ingest.detection.charsets import clean
from ingest.documents import ReadResult, SourceImage
from ingest.formats.office.packages import is_made_up
from ingest.formats.pdf.blocks import build_pdf
from ingest.formats.pdf.layout import PdfLine, page_lines, without_furniture
from ingest.formats.pictures import picture, select_pictures
from ingest.reader import Format, Sample
from libs.contracts.structure import Structure
from libs.web.iso_dates import moment_stamp

if TYPE_CHECKING:
    import pypdf

_CAPTION: Final = re.compile(
    r"^[ \t]*((?:Fig(?:ure|\.)?|Abb(?:ildung|\.)?|Bild|Photo)[ \t]*\d+[.:]?[ \t].*)$", re.M | re.I
)
_SIGNATURE_WITHIN: Final = 1024
"""Bytes within which the signature begins; some programs write something before it (taste)."""


class PdfReader:
    """Reads PDF."""

    format: Final = Format("PDF", (".pdf",), binary=True)

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes, or the names of the parts, show this format."""
        return b"%PDF-" in sample.head[:_SIGNATURE_WITHIN]

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield one document.

        Raises:
            BrokenContent: the file is damaged, requires a password, or contains no text.
        """
        import pypdf

        logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs every fault that it repairs
        with content.open() as stream, parsing("PDF"):
            reader = pypdf.PdfReader(stream, strict=False)
            if reader.is_encrypted:
                _unlock(reader)
            pages = [page_lines(page, number) for number, page in enumerate(reader.pages, start=1)]
            candidates = [
                image for page, lines in zip(reader.pages, pages, strict=True) for image in _images(page, lines)
            ]
            title, date, metadata = _properties(reader)
            text, structure = build_pdf(without_furniture(pages)).build()
        if not text:
            raise BrokenContent("contains no text: scanned pages need OCR first")
        images, left_out = select_pictures(candidates, content.bounds)
        yield content.document(
            text,
            title=title or _largest_heading(structure),
            date=date,
            metadata={**metadata, "pages": str(len(pages)), **left_out},
            images=images,
            structure=structure,
        )


def _unlock(reader: "pypdf.PdfReader") -> None:
    """Open a file that is encrypted with an empty password, as many are."""
    from pypdf.errors import DependencyError

    try:
        is_open = bool(reader.decrypt(""))
    except (DependencyError, NotImplementedError):  # pypdf's errors for an unsupported cipher
        is_open = False
    if not is_open:
        raise BrokenContent("is encrypted: remove its password first")


def _largest_heading(structure: Structure) -> str:
    """The largest heading on the first page; empty if there is none."""
    first = [section for section in structure.sections[1:] if section.page == 1]
    return min(first, key=lambda section: section.level).heading if first else ""


def _properties(reader: "pypdf.PdfReader") -> tuple[str, str, dict[str, str]]:
    """Title, date and metadata such as the author, as the file states them."""
    properties = reader.metadata
    if properties is None:
        return "", "", {}
    title = " ".join(clean(properties.title or "").split())
    return (
        "" if is_made_up(title) else title,
        _moment(properties, "creation_date") or _moment(properties, "modification_date"),
        {"author": clean(properties.author)} if properties.author else {},
    )


def _moment(properties: Any, name: str) -> str:
    try:
        return moment_stamp(getattr(properties, name))
    except (ValueError, TypeError, AttributeError):
        return ""


def _images(page: "pypdf.PageObject", lines: Sequence[PdfLine]) -> Iterator[SourceImage]:
    """Yield the JPEG pictures of a page, which need no decoding; the page's captions are assigned in order."""
    captions = [line.text for line in lines if _CAPTION.match(line.text)]
    for place, (data, width, height) in enumerate(_jpegs(page)):
        yield picture(data, captions[place] if place < len(captions) else "", width, height)


def _jpegs(page: "pypdf.PageObject") -> Iterator[tuple[bytes, int, int]]:
    resources: Any = page.get("/Resources", {})
    objects: Any = resources.get_object().get("/XObject", {}) if resources else {}
    for reference in objects.get_object().values() if objects else ():
        item = reference.get_object()
        filters = item.get("/Filter")
        if item.get("/Subtype") == "/Image" and filters in ("/DCTDecode", ["/DCTDecode"]):
            yield bytes(item.get_data()), int(item.get("/Width", 0)), int(item.get("/Height", 0))
