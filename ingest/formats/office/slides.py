"""Slides (pptx): each is a section (level 2) and a page with all that it shows, and its notes. Reading blocks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ingest.content import Content
from ingest.documents import OmissionReason, ReadResult
from ingest.formats.office.draft import Draft, opened_package
from ingest.formats.office.drawings import comments, paragraphs, pictures, table_rows, words, write_graphics
from ingest.formats.office.packages import Element, short, tag, value
from libs.contracts.structure import BlockKind

MAIN: Final = "ppt/presentation.xml"
MAX_TITLE: Final = 80
"""Characters of a first line that is taken for the title of a slide without one (taste)."""
_PLACEHOLDER: Final = "p:nvSpPr/p:nvPr/p:ph"
_TITLES: Final = ("title", "ctrTitle")
_FURNITURE: Final = ("ftr", "hdr", "dt", "sldNum")


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document."""
    with opened_package(content, "pptx") as package:
        slides = package.main(MAIN).iter(tag("p:sldId"))
        names = [package.target(MAIN, slide.get(tag("r:id"), "")) for slide in slides]
        deck = _Deck(package)
        for number, name in enumerate(names, start=1):
            deck.read(name, number)
        yield deck.document(content, slides=str(len(names)))


@dataclass(slots=True)
class _Deck(Draft):
    """Passes the contents of slides to a builder; its title is that of the first slide that has one."""

    def read(self, part: str, number: int) -> None:
        """Read a slide; a hidden one is left out."""
        slide = self.package.tree(part)
        self.package.place = f"slide {number}"
        notes = self._notes(part)
        if slide.get("show") in ("0", "false"):
            self.package.leave_out(OmissionReason.HIDDEN, f"{words(slide)} {' '.join(notes)}")
            return
        shapes = list(_shapes(slide))
        title = next((words(shape) for shape in shapes if _role(shape) in _TITLES), "") or _first_line(shapes)
        self.title = self.title or title
        start = len(self.builder)
        self.builder.section(title or f"Slide {number}")
        self.builder.page = number
        for shape in shapes:
            self._shape(shape, part)
        found = pictures(self.package, part, slide)
        self.images += (replace(image, caption=image.caption or title) for image in found)
        for note in notes:
            self.builder.paragraph(note)
        for words_of_comment in comments(self.package, MAIN, part):
            self.builder.block(BlockKind.QUOTATION, words_of_comment)
        if len(self.builder) == start:  # headings alone are not searched
            self.builder.section(f"Slide {number}" if start else "")
            self.builder.paragraph(title)

    def _shape(self, shape: Element, part: str) -> None:
        role = _role(shape)
        if role in _FURNITURE:
            self.package.leave_out(OmissionReason.FURNITURE, words(shape))
        elif value(shape, "p:nvSpPr/p:cNvPr", "hidden") in ("1", "true"):
            self.package.leave_out(OmissionReason.HIDDEN, words(shape))
        elif role not in _TITLES:
            for table in shape.iter(tag("a:tbl")):
                self.builder.table(table_rows(table))
            for body in shape.findall(tag("p:txBody")):
                self._words(body, is_list=role is not None)
            write_graphics(self.package, part, shape, self.builder)

    def _words(self, body: Element, is_list: bool) -> None:
        """Write each paragraph of a placeholder as a list item, and each of a text box as a paragraph."""
        texts = [(text, level) for text, level in paragraphs(body) if text]
        if is_list and len(texts) > 1:
            self.builder.items(texts)
        else:
            for text, _ in texts:
                self.builder.paragraph(text)

    def _notes(self, part: str) -> list[str]:
        """The paragraphs of the speaker's notes; not the picture of the slide, nor the page's furniture."""
        shapes = (shape for root in self.package.related(part, "notesSlide") for shape in _shapes(root))
        return [text for shape in shapes if _role(shape) == "body" for text, _ in paragraphs(shape) if text]


def _shapes(element: Element) -> Iterator[Element]:
    """Yield all shapes, including those in groups."""
    for child in element:
        if short(child.tag) in ("p:sp", "p:graphicFrame", "p:pic", "p:cxnSp"):
            yield child
        else:
            yield from _shapes(child)


def _first_line(shapes: Sequence[Element]) -> str:
    """The first line of a slide without a title, taken out of its shape, if it is short and others follow."""
    lines = [line for shape in shapes for line in shape.iter(tag("a:p")) if words(line)]
    text = words(lines[0]) if len(lines) > 1 else ""
    if not text or len(text) > MAX_TITLE or _role(shapes[0]) in _FURNITURE:
        return ""
    lines[0].getparent().remove(lines[0])
    return text


def _role(shape: Element) -> str | None:
    """What a placeholder is for; empty if it does not say; None for any other shape."""
    return value(shape, _PLACEHOLDER, "type")
