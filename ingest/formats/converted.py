"""Texts with markup that a library converts to HTML, which is then read like any page. Reading blocks."""

from collections.abc import Callable
from dataclasses import replace

from ingest.content import Content, parsing
from ingest.detection.charsets import Decoded, decoded
from ingest.documents import Omission, OmissionReason, ParsedDocument
from ingest.formats.hypertext import page_document
from libs.documents.conversion import ConvertedText
from libs.web.iso_dates import iso_stamp


def converted(content: Content, format_name: str, convert: Callable[[str], ConvertedText]) -> ParsedDocument:
    """The document of a text that a function converts.

    Raises:
        BrokenContent: it is not text of the format.
    """
    source = decoded(content.read(), content.charset)
    with parsing(format_name):
        text = convert(source.text)
    document = page_document(content, Decoded(text.html, source.omissions))
    date = iso_stamp(text.date)
    left_out = [Omission.of(OmissionReason[reason], "", words) for reason, words in text.left_out]
    if text.date and not date:
        left_out.append(Omission.of(OmissionReason.DAMAGED, "date", text.date))
    return replace(
        document,
        date=date or document.date,
        metadata={**text.metadata, **document.metadata},
        omissions=(*document.omissions, *left_out),
    )
