"""Word files (docx): headings, paragraphs, lists, tables, code by style, pictures with captions. Reading blocks."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from ingest.content import Content, parsing
from ingest.detection.charsets import clean
from ingest.documents import ReadResult, SourceImage
from ingest.formats.archives import unpackable
from ingest.formats.office.packages import core_properties
from ingest.formats.office.word_styles import ParagraphKind, ReadParagraph, kind_of_paragraph, words_of
from ingest.formats.pictures import picture, select_pictures
from ingest.reader import Format, Sample
from libs.contracts.structure import BlockKind
from libs.documents.building import DocumentBuilder

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import Table
    from docx.text.paragraph import Paragraph

DRAWING: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}blip"
PROPERTIES: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
EMBED: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed"
MAX_HEADING: Final = 200
"""In characters; a longer paragraph in a heading's style is running text (taste)."""


class WordReader:
    """Reads docx."""

    format: Final = Format("docx", (".docx",), binary=True)

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes, or the names of the parts, show this format."""
        return "word/document.xml" in sample.parts

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield one document.

        Raises:
            BrokenContent: the file is damaged or too large.
        """
        import docx

        with unpackable(content) as stream, parsing("docx"):
            document = docx.Document(stream)
            builder = DocumentBuilder()
            reader = _Reader(builder)
            for block in document.iter_inner_content():
                reader.read(block)
            reader.close()
            text, structure = builder.build()
            images, left_out = select_pictures(_images(document), content.bounds)
            properties = core_properties(stream)
        yield content.document(
            text,
            title=properties.title or reader.title,
            date=properties.date,
            metadata={**properties.metadata, **left_out},
            images=images,
            structure=structure,
        )


@dataclass(slots=True)
class _Reader:
    """Passes blocks to a builder; list items and lines of code are collected until they are complete."""

    builder: DocumentBuilder
    _titles: list[str] = field(default_factory=list)
    """Headings of the highest level."""
    _main: str = ""
    """Text in the style of a title."""
    _items: list[tuple[str, int, bool]] = field(default_factory=list)
    _code: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The text in the style of a title, else the heading of the highest level if there is only one."""
        return self._main or (self._titles[0] if len(self._titles) == 1 else "")

    def read(self, block: "Paragraph | Table") -> None:
        """Read the next block."""
        from docx.table import Table

        if isinstance(block, Table):
            self.close()
            self.builder.table(list(_rows(block)))
            return
        reading = kind_of_paragraph(block)
        text = clean(words_of(block, ticks=reading.kind is not ParagraphKind.CODE))
        if reading.kind is ParagraphKind.CODE:
            self._close_items()
            self._code.append(text.rstrip())
        elif text.strip():
            self._write(text.strip(), reading)

    def close(self) -> None:
        """Write the collected items and code."""
        self._close_items()
        self.builder.code("\n".join(self._code))
        self._code.clear()

    def _write(self, text: str, reading: ReadParagraph) -> None:
        if reading.kind is ParagraphKind.ITEM:
            self._close_code()
            self._items.append((text, reading.level, reading.numbered))
            return
        self.close()
        if reading.kind is ParagraphKind.HEADING and len(text) <= MAX_HEADING:
            self._write_heading(" ".join(text.replace("`", "").split()), reading)
        elif reading.kind is ParagraphKind.LEAD:
            self.builder.paragraph(f"**{text}**")
        else:
            self.builder.block(_BLOCKS.get(reading.kind, BlockKind.PARAGRAPH), text)

    def _write_heading(self, text: str, reading: ReadParagraph) -> None:
        self._titles += [text] if reading.level == 1 else []
        self._main = self._main or (text if reading.main else "")
        self.builder.heading(text, reading.level)

    def _close_items(self) -> None:
        if self._items and all(numbered and not depth for _, depth, numbered in self._items):
            self.builder.lines_as_items(f"{number}. {text}" for number, (text, _, _) in enumerate(self._items, start=1))
        else:
            self.builder.items((text, depth) for text, depth, _ in self._items)
        self._items.clear()

    def _close_code(self) -> None:
        self.builder.code("\n".join(self._code))
        self._code.clear()


_BLOCKS: Final = {
    ParagraphKind.QUOTATION: BlockKind.QUOTATION,
    ParagraphKind.CAPTION: BlockKind.CAPTION,
    ParagraphKind.FURNITURE: BlockKind.FURNITURE,
}


def _rows(table: "Table") -> Iterator[list[str]]:
    """Yield the rows of a table; a cell that spans columns appears once."""
    for row in table.rows:
        cells: list[str] = []
        last: Any = None
        for cell in row.cells:
            words = " ".join(words_of(paragraph) for paragraph in cell.paragraphs)
            cells.append("" if cell._tc is last else clean(words))
            last = cell._tc
        yield cells


def _images(document: "Document") -> Iterator[SourceImage]:
    """Yield the pictures; the caption is the next paragraph of that style, else the picture's own description."""
    from docx.table import Table

    blocks: list[Any] = [*document.iter_inner_content(), None]
    for block, following in pairwise(blocks):
        below = (
            following is not None
            and not isinstance(following, Table)
            and kind_of_paragraph(following).kind is ParagraphKind.CAPTION
        )
        caption = clean(following.text).strip() if below else ""
        for blip in block._element.iter(DRAWING):
            part = document.part.related_parts.get(blip.get(EMBED) or "")
            if part is not None:
                yield picture(part.blob, caption or _description(blip))


def _description(blip: Any) -> str:
    for ancestor in blip.iterancestors():
        properties = ancestor.find(PROPERTIES)
        if properties is not None:
            return (properties.get("descr") or properties.get("title") or "").strip()
    return ""
