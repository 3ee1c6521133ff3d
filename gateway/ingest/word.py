"""Word files (docx): headings, paragraphs, lists, tables as rows, pictures with their captions."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from gateway.ingest.archives import unpackable
from gateway.ingest.charsets import clean
from gateway.ingest.content import Content, parsing
from gateway.ingest.documents import Read, SourceDocument, SourceImage
from gateway.ingest.office import joined, stated
from gateway.ingest.pictures import kept, picture
from services.text.tables import ROW_MARK, rows_in_words

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import Table
    from docx.text.paragraph import Paragraph

DRAWING: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}blip"
PROPERTIES: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
EMBED: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed"


def read_docx(content: Content) -> Iterator[Read]:
    """One document.

    Raises:
        Broken: it is damaged or too large.
    """
    import docx

    with unpackable(content) as stream, parsing("docx"):
        document = docx.Document(stream)
        text = joined(_blocks(document))
        images, left_out = kept(_images(document), content.bounds)
        title, date, metadata = stated(document.core_properties)
    yield SourceDocument(
        content.document_id,
        text,
        title=title or content.title,
        url=content.url,
        date=date or content.date,
        metadata={**metadata, **left_out},
        images=images,
    )


def _blocks(document: "Document") -> Iterator[str]:
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            yield from rows_in_words(_rows(block))
        else:
            yield _paragraph(block)


def _rows(table: "Table") -> Iterator[list[str]]:
    """The rows of a table; a cell that spans columns is told once."""
    for row in table.rows:
        told: list[str] = []
        last: Any = None
        for cell in row.cells:
            told.append("" if cell._tc is last else clean(cell.text))
            last = cell._tc
        yield told


def _paragraph(paragraph: "Paragraph") -> str:
    text, style = clean(paragraph.text).strip(), _style(paragraph)
    if not text:
        return ""
    if style == "Title":
        return f"# {text}"
    if style.startswith("Heading"):
        level = style.removeprefix("Heading").strip()
        return f"{'#' * min(6, int(level) if level.isdecimal() else 2)} {text}"
    return f"{ROW_MARK}{text}" if style.startswith("List") else text


def _style(paragraph: "Paragraph") -> str:
    style = paragraph.style
    return (style.name or "") if style is not None else ""


def _images(document: "Document") -> Iterator[SourceImage]:
    """The pictures of the text; the caption is the next paragraph of that style, else what the picture says itself."""
    from docx.table import Table

    blocks: list[Any] = [*document.iter_inner_content(), None]
    for block, following in pairwise(blocks):
        below = following is not None and not isinstance(following, Table) and _style(following) == "Caption"
        caption = clean(following.text).strip() if below else ""
        for blip in block._element.iter(DRAWING):
            part = document.part.related_parts.get(blip.get(EMBED) or "")
            if part is not None:
                yield picture(part.blob, caption or _description(blip))


def _description(blip: Any) -> str:
    for ancestor in blip.iterancestors():
        told = ancestor.find(PROPERTIES)
        if told is not None:
            return (told.get("descr") or told.get("title") or "").strip()
    return ""
