"""OpenDocument texts and slides as HTML, which is then read like any page. Reading blocks."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Final

from ingest.documents import OmissionReason
from ingest.formats.office.draft import Draft
from ingest.formats.office.packages import Element, comment, short, tag, value, whole
from ingest.formats.office.word_styles import Chains, ReadParagraph, Style, kind_of_names
from ingest.formats.pictures import picture
from libs.contracts.structure import BlockKind
from libs.web.pages import read_page

_PARAGRAPHS: Final = ("text:p", "text:h")
_APART: Final = frozenset({"draw:frame", "draw:g", "draw:custom-shape", "draw:rect"})
"""What hangs on a paragraph, as notes and comments do, and is written after the block that it is in."""
_OBJECTS: Final = ("draw:object", "draw:object-ole")
_SETTINGS: Final = ("text:tracked-changes", "presentation:settings")
_CHARACTERS: Final = {"text:tab": "\t", "text:line-break": "<br>"}
_UNSEEN: Final = frozenset({"text:ruby-text", "text:hidden-text", "text:hidden-paragraph", "svg:title", "svg:desc"})
_TAGS: Final = {BlockKind.CODE: "pre", BlockKind.QUOTATION: "blockquote", BlockKind.CAPTION: "figcaption"}
_TABLE_PARTS: Final = frozenset(
    f"table:table-{part}" for part in ("header-rows", "rows", "row-group", "row", "cell", "covered-cell")
)
_SAME: Final = {
    **dict.fromkeys(("text:list-item", "text:list-header"), "li"),
    **{"table:table": "table", "table:table-row": "tr"},
}
"""Elements of which HTML has the like."""
_SPACE: Final = "_20_"
"""How names write a space."""
_HIDING: Final = (
    ("style:text-properties", "text:display", "none"),
    ("style:table-properties", "table:display", "false"),
    ("style:drawing-page-properties", "presentation:visibility", "hidden"),
)


class Styles(Chains):
    """The styles of a file, as parts state them."""

    def __init__(self, *roots: Element) -> None:
        self.numbered = set[tuple[str, int]]()
        """Names of list styles with the levels, from 1, that have numbers."""
        for root in roots:
            for style in root.iter(tag("style:style")):
                name, base = style.get(tag("style:name"), ""), style.get(tag("style:parent-style-name"), "")
                self[name] = Style(name.replace(_SPACE, " "), base, style)
            for level in root.iter(tag("text:list-level-style-number")):
                if level.get(tag("style:num-format")):
                    name = level.getparent().get(tag("style:name"), "")
                    self.numbered.add((name, whole(level.get(tag("text:level")), 1)))

    def is_hidden(self, element: Element) -> bool:
        """Whether an element is hidden by itself or by its style."""
        styles = self.chain(_style_of(element))
        around, within = element.iterancestors(tag("text:section")), element.iterchildren(tag("text:hidden-paragraph"))
        marks = (element, *around, *within)
        if any(mark.get(tag("text:is-hidden")) == "true" or mark.get(tag("text:display")) == "none" for mark in marks):
            return True
        return element.get(tag("table:visibility")) in ("collapse", "filter") or any(
            value(style.element, path, name) == hidden for style in styles for path, name, hidden in _HIDING
        )

    def kind_of(self, paragraph: Element) -> ReadParagraph:
        """The kind of a paragraph, by the names of its style and of those that it is based on."""
        name = _style_of(paragraph)
        return kind_of_names([style.name for style in self.chain(name)] or [name.replace(_SPACE, " ")])


@dataclass(slots=True)
class Text(Draft):
    """Converts elements; its title is the first heading of the highest level, else the title of the first slide."""

    styles: Styles = field(default_factory=Styles)
    slide: int = 0
    """From 1; 0 in a text."""
    _hanging: list[str] = field(default_factory=list)
    _marked: int = 0
    """Number of the last note."""

    def write(self, container: Element) -> None:
        """Write the blocks of an element."""
        self.package.place = f"slide {self.slide}" if self.slide else self.package.place
        markup = self._blocks(container).replace("</pre><pre>", "\n")
        page = read_page(f"<html><body>{markup}</body></html>")
        self.builder.page = self.slide
        self.builder.append(page.text, page.structure)

    def _blocks(self, container: Element) -> str:
        pieces: list[str] = []
        for child in container:
            pieces.append(self._block(child))
            if short(child.tag) not in _TABLE_PARTS:  # between them, HTML has no place for anything else
                pieces += self._hanging
                self._hanging.clear()
        return "".join(pieces)

    def _block(self, element: Element) -> str:
        name = short(element.tag)
        if self.styles.is_hidden(element) or name in _SETTINGS:
            return self._leave_out(OmissionReason.HIDDEN, text_of(element))
        if name in _CONVERTERS:
            return _CONVERTERS[name](self, element)
        words = "" if name in _UNSEEN else self._blocks(element)
        return f"<{_SAME[name]}>{words}</{_SAME[name]}>" if name in _SAME else words

    def _leave_out(self, reason: OmissionReason, text: str) -> str:
        self.package.leave_out(reason, text)
        return ""

    def _contents(self, element: Element) -> str:
        return self._leave_out(OmissionReason.FURNITURE, text_of(element))

    def _paragraph(self, element: Element) -> str:
        reading = self.styles.kind_of(element)
        if short(element.tag) != "text:h" and not reading.heading:
            name = _TAGS.get(reading.kind, "p")
            return f"<{name}>{self._inline(element)}</{name}>"
        level = whole(element.get(tag("text:outline-level"))) or reading.heading or 1
        return self._heading(self._inline(element), level, text_of(element) if reading.main or level == 1 else "")

    def _heading(self, words: str, level: int, title: str) -> str:
        self.title = self.title or " ".join(title.split())
        return f"<h{min(level, 6)}>{words}</h{min(level, 6)}>"

    def _inline(self, element: Element) -> str:
        """The words of a paragraph; what hangs on it is kept for later."""
        if self.styles.is_hidden(element):
            return self._leave_out(OmissionReason.HIDDEN, text_of(element))
        pieces = [escape(element.text or "")]
        for child in element:
            name = short(child.tag)
            if name == "text:note":
                pieces.append(self._note(child))
            elif name == "office:annotation":
                self._hanging.append(f"<blockquote>{escape(commented(child).removeprefix('> '))}</blockquote>")
            elif name in _APART:
                self._hanging.append(self._block(child))
            elif name == "text:s":
                pieces.append(" " * min(whole(child.get(tag("text:c")), 1), 80))
            elif name in _UNSEEN:
                self._leave_out(OmissionReason.HIDDEN, child.get(tag("text:string-value")) or text_of(child))
            else:
                pieces += [_CHARACTERS.get(name, ""), self._inline(child)]
            pieces.append(escape(child.tail or ""))
        return "".join(pieces)

    def _note(self, note: Element) -> str:
        self._marked += 1
        number = self._marked
        self._hanging.append(f"<p>[^{number}]: {' '.join(map(self._inline, note.iterfind(tag('text:note-body'))))}</p>")
        return f"[^{number}]"

    def _list(self, element: Element) -> str:
        lists = [element, *element.iterancestors(tag("text:list"))]
        style = next(filter(None, (each.get(tag("text:style-name")) for each in lists)), "")
        name = "ol" if (style, len(lists)) in self.styles.numbered else "ul"
        return f"<{name}>{self._blocks(element)}</{name}>"

    def _cell(self, cell: Element) -> str:
        columns, rows = spans(cell)
        words = " ".join(map(self._inline, _paragraphs(cell)))
        return f'<td colspan="{columns}" rowspan="{rows}">{words}</td>'

    def _slide(self, page: Element) -> str:
        titles = [frame for frame in page if frame.get(tag("presentation:class")) == "title"]
        title = " ".join(map(text_of, titles))
        for frame in titles:
            page.remove(frame)
        return self._heading(escape(title) or f"Slide {self.slide}", 2, title) + self._blocks(page)

    def _picture(self, image: Element) -> str:
        frame = image.getparent()
        stated = (frame.findtext(tag(name)) for name in ("svg:desc", "svg:title")) if frame is not None else ()
        description = next(filter(None, stated), "")
        if data := self.package.read(posixpath.normpath(image.get(tag("xlink:href"), ""))):
            self.images.append(picture(data, description))
        return self._leave_out(OmissionReason.PICTURE, description or "picture")

    def _object(self, element: Element) -> str:
        """Name a formula by its source, a chart by its words, any other object by its name."""
        name = posixpath.normpath(element.get(tag("xlink:href"), ""))
        root = self.package.tree(posixpath.join(name, "content.xml"))
        words = root.findtext(".//{*}annotation") or text_of(root)
        return self._leave_out(OmissionReason.OBJECT, words or name)


_CONVERTERS: Final[dict[str, Callable[[Text, Element], str]]] = {
    **dict.fromkeys(_PARAGRAPHS, Text._paragraph),
    **dict.fromkeys(_OBJECTS, Text._object),
    "draw:page": Text._slide,
    "draw:image": Text._picture,
    "text:list": Text._list,
    "text:table-of-content": Text._contents,
    "table:table-cell": Text._cell,
}


def spans(cell: Element) -> tuple[int, int]:
    """How many columns and rows a cell covers."""
    columns, rows = (cell.get(tag(f"table:number-{name}-spanned")) or "1" for name in ("columns", "rows"))
    return whole(columns, 1), whole(rows, 1)


def text_of(element: Element) -> str:
    """All text of an element, in which paragraphs are parted."""
    is_inline = short(element.tag) in (*_PARAGRAPHS, "text:span")
    paragraphs = [] if is_inline else list(_paragraphs(element))
    return " ".join("".join(map(str, paragraph.itertext())) for paragraph in paragraphs or [element])


def _paragraphs(element: Element) -> Iterator[Element]:
    """The paragraphs within an element; not those within a paragraph, such as a note's."""
    for child in element:
        if short(child.tag) in _PARAGRAPHS:
            yield child
        else:
            yield from _paragraphs(child)


def commented(annotation: Element) -> str:
    """A comment as a quotation of its author."""
    return comment(text_of(annotation), annotation.findtext(tag("dc:date")), annotation.findtext(tag("dc:creator")))


def _style_of(element: Element) -> str:
    vocabulary = str(element.tag).partition("}")[0]
    return str(element.get(f"{vocabulary}}}style-name", ""))
