"""Slides (pptx): each a section with its words, its tables as rows, its notes, and its pictures."""

from collections.abc import Iterable, Iterator
from typing import Any

from gateway.ingest.archives import unpackable
from gateway.ingest.charsets import clean
from gateway.ingest.content import Content, parsing
from gateway.ingest.documents import Read, SourceDocument, SourceImage
from gateway.ingest.office import joined, stated
from gateway.ingest.pictures import kept, picture
from services.text.tables import ROW_MARK, rows_in_words


def read_pptx(content: Content) -> Iterator[Read]:
    """One document.

    Raises:
        Broken: it is damaged or too large.
    """
    import pptx

    with unpackable(content) as stream, parsing("pptx"):
        slides = pptx.Presentation(stream)
        text = joined(block for number, slide in enumerate(slides.slides, start=1) for block in _blocks(number, slide))
        images, left_out = kept((image for slide in slides.slides for image in _images(slide)), content.bounds)
        title, date, metadata = stated(slides.core_properties)
        count = len(slides.slides)
    yield SourceDocument(
        content.document_id,
        text,
        title=title if title != "PowerPoint Presentation" and title else content.title,
        url=content.url,
        date=date or content.date,
        metadata={**metadata, "slides": str(count), **left_out},
        images=images,
    )


def _blocks(number: int, slide: Any) -> Iterator[str]:
    title = slide.shapes.title
    name = " ".join(clean(title.text_frame.text).split()) if title is not None else ""
    yield f"## Slide {number}: {name}" if name else f"## Slide {number}"
    for shape in _shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if shape.has_table:
            yield from rows_in_words([clean(cell.text) for cell in row.cells] for row in shape.table.rows)
        elif shape.has_text_frame:
            yield from _paragraphs(shape)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        yield clean(slide.notes_slide.notes_text_frame.text).strip()


def _paragraphs(shape: Any) -> Iterator[str]:
    """Each paragraph of a body is a point of a list; of a text box it is a paragraph."""
    mark = ROW_MARK if shape.is_placeholder and len(shape.text_frame.paragraphs) > 1 else ""
    for paragraph in shape.text_frame.paragraphs:
        text = " ".join(clean("".join(run.text for run in paragraph.runs) or paragraph.text).split())
        if text:
            yield mark + text


def _shapes(shapes: Iterable[Any]) -> Iterator[Any]:
    """All shapes, those in groups too."""
    from pptx.enum.shapes import MSO_SHAPE_TYPE

    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _images(slide: Any) -> Iterator[SourceImage]:
    """The pictures of a slide, each with what it says of itself, else with the slide's title."""
    title = slide.shapes.title
    name = " ".join(clean(title.text_frame.text).split()) if title is not None else ""
    for shape in _shapes(slide.shapes):
        if hasattr(shape, "image"):
            described = shape._element.xpath(".//p:cNvPr/@descr")
            width, height = shape.image.size
            yield picture(shape.image.blob, (described[0] if described else "").strip() or name, width, height)
