"""Slides (pptx): each is a section (level 2) and a page with its text, tables, notes, pictures. Reading blocks."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from ingest.content import Content, parsing
from ingest.detection.charsets import clean
from ingest.documents import ReadResult, SourceImage
from ingest.formats.archives import unpackable
from ingest.formats.office.packages import core_properties
from ingest.formats.pictures import picture, select_pictures
from ingest.reader import Format, Sample
from libs.documents.building import DocumentBuilder


class SlidesReader:
    """Reads pptx."""

    format: Final = Format("pptx", (".pptx",), binary=True)

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes, or the names of the parts, show this format."""
        return "ppt/presentation.xml" in sample.parts

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield one document.

        Raises:
            BrokenContent: the file is damaged or too large.
        """
        import pptx

        with unpackable(content) as stream, parsing("pptx"):
            slides = pptx.Presentation(stream)
            builder = DocumentBuilder()
            for number, slide in enumerate(slides.slides, start=1):
                _write(number, slide, builder)
            text, structure = builder.build()
            images, left_out = select_pictures(
                (image for slide in slides.slides for image in _images(slide)), content.bounds
            )
            properties = core_properties(stream)
            count = len(slides.slides)
        yield content.document(
            text,
            title=properties.title,
            date=properties.date,
            metadata={**properties.metadata, "slides": str(count), **left_out},
            images=images,
            structure=structure,
        )


def _write(number: int, slide: Any, builder: DocumentBuilder) -> None:
    title = slide.shapes.title
    name = " ".join(clean(title.text_frame.text).split()) if title is not None else ""
    builder.heading(f"Slide {number}: {name}" if name else f"Slide {number}", 2, number)
    for shape in _shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if shape.has_table:
            builder.table([[clean(cell.text) for cell in row.cells] for row in shape.table.rows], number)
        elif shape.has_text_frame:
            _write_words(shape, builder, number)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        builder.paragraph(clean(slide.notes_slide.notes_text_frame.text), number)


def _write_words(shape: Any, builder: DocumentBuilder, number: int) -> None:
    """Write each paragraph of a body as a list item, and each of a text box as a paragraph."""
    paragraphs = [
        (" ".join(clean("".join(run.text for run in paragraph.runs) or paragraph.text).split()), paragraph.level)
        for paragraph in shape.text_frame.paragraphs
    ]
    if shape.is_placeholder and len(paragraphs) > 1:
        builder.items(paragraphs, number)
    else:
        for text, _ in paragraphs:
            builder.paragraph(text, number)


def _shapes(shapes: Iterable[Any]) -> Iterator[Any]:
    """Yield all shapes, including those in groups."""
    from pptx.enum.shapes import MSO_SHAPE_TYPE

    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _images(slide: Any) -> Iterator[SourceImage]:
    """Yield the pictures of a slide, captioned by their own description, else by the slide's title."""
    title = slide.shapes.title
    name = " ".join(clean(title.text_frame.text).split()) if title is not None else ""
    for shape in _shapes(slide.shapes):
        if hasattr(shape, "image"):
            descriptions = shape._element.xpath(".//p:cNvPr/@descr")
            width, height = shape.image.size
            yield picture(shape.image.blob, (descriptions[0] if descriptions else "").strip() or name, width, height)
