"""PDF: the words of its pages, each page a section, its JPEG pictures with the captions that stand on their page."""

import logging
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from gateway.ingest.charsets import clean
from gateway.ingest.content import Broken, Content, parsing
from gateway.ingest.documents import Read, SourceDocument, SourceImage
from gateway.ingest.pictures import kept, picture
from services.web.stamps import moment_stamp

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

_CAPTION: Final = re.compile(
    r"^[ \t]*((?:Fig(?:ure|\.)?|Abb(?:ildung|\.)?|Bild|Photo)[ \t]*\d+[.:]?[ \t].*)$", re.M | re.I
)
_HYPHEN: Final = re.compile(r"(?<=[a-zà-ÿ])-\n(?=[a-zà-ÿ])")
"""A word that was divided at the end of a line."""
_MADE_UP: Final = re.compile(
    r"\A(?:untitled|unbenannt|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|tex|dvi|indd))\Z", re.I
)
"""Titles that programs put in and nobody meant."""


def read_pdf(content: Content) -> Iterator[Read]:
    """One document.

    Raises:
        Broken: it is damaged, asks for a password, or holds no text.
    """
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells every fault that it mends
    with content.open() as stream, parsing("PDF"):
        reader = PdfReader(stream, strict=False)
        if reader.is_encrypted:
            _unlock(reader)
        texts = [_text(page) for page in reader.pages]
        found = [image for page, text in zip(reader.pages, texts, strict=True) for image in _images(page, text)]
        title, date, metadata = _stated(reader)
    if not any(texts):
        raise Broken("holds no words: pages that are only pictures would have to be read by OCR first")
    images, left_out = kept(found, content.bounds)
    yield SourceDocument(
        content.document_id,
        _sections(texts),
        title=title or content.title,
        url=content.url,
        date=date or content.date,
        metadata={**metadata, "pages": str(len(texts)), **left_out},
        images=images,
    )


def _unlock(reader: "PdfReader") -> None:
    """Open a file that is encrypted with no password, as many are."""
    from pypdf.errors import DependencyError

    try:
        opened = bool(reader.decrypt(""))
    except (DependencyError, NotImplementedError):  # pypdf's words for a cipher that it lacks
        opened = False
    if not opened:
        raise Broken("is encrypted: take its password off first")


def _text(page: "PageObject") -> str:
    lines = (line.rstrip() for line in clean(page.extract_text()).split("\n"))
    return _HYPHEN.sub("", "\n".join(lines)).strip()


def _sections(texts: list[str]) -> str:
    """The pages, each under its number where there are several."""
    if len(texts) == 1:
        return texts[0]
    return "\n\n".join(f"## Page {number}\n\n{text}" for number, text in enumerate(texts, start=1) if text)


def _stated(reader: "PdfReader") -> tuple[str, str, dict[str, str]]:
    """Title, date and author, as the file states them."""
    told = reader.metadata
    if told is None:
        return "", "", {}
    title = " ".join(clean(told.title or "").split())
    return (
        "" if _MADE_UP.match(title) else title,
        _moment(told, "creation_date") or _moment(told, "modification_date"),
        {"author": clean(told.author)} if told.author else {},
    )


def _moment(told: Any, name: str) -> str:
    try:
        return moment_stamp(getattr(told, name))
    except (ValueError, TypeError, AttributeError):
        return ""


def _images(page: "PageObject", text: str) -> Iterator[SourceImage]:
    """The JPEG pictures that a page holds, which need no decoding; the captions on the page go to them in order."""
    captions = [" ".join(match.split()) for match in _CAPTION.findall(text)]
    for place, (data, width, height) in enumerate(_jpegs(page)):
        yield picture(data, captions[place] if place < len(captions) else "", width, height)


def _jpegs(page: "PageObject") -> Iterator[tuple[bytes, int, int]]:
    resources: Any = page.get("/Resources", {})
    shown: Any = resources.get_object().get("/XObject", {}) if resources else {}
    for reference in shown.get_object().values() if shown else ():
        item = reference.get_object()
        filters = item.get("/Filter")
        if item.get("/Subtype") == "/Image" and filters in ("/DCTDecode", ["/DCTDecode"]):
            yield bytes(item.get_data()), int(item.get("/Width", 0)), int(item.get("/Height", 0))
