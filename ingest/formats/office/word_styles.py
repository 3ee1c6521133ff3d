"""The kind of a Word paragraph by its style: by its base styles, its outline level, or its name.

Publishers and companies have their own templates, with styles called HeadA or CodeListing: names are used where nothing
else identifies the kind. Pure; levels and outline levels up to 9 are those of Word, where 9 is body text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from ingest.formats.office.packages import tag, value

if TYPE_CHECKING:
    from lxml.etree import _Element

_HEADING: Final = re.compile(
    r"(?:head(?:ing|er)?|überschrift|titre|título|titolo|kop|rubrik|标题|見出し)[ _-]?(?:level)?[ _-]?"
    r"(?P<level>[1-9]|[A-F]\b)",  # letters up to F: taste
    re.IGNORECASE,
)
_TITLE: Final = re.compile(
    r"(?:(?:chapter|appendix|part|section|document|book)[ _-]?)?(?:title|titel)\b", re.IGNORECASE
)
_MAIN_TITLE: Final = re.compile(r"(?:(?:document|book)[ _-]?)?(?:title|titel)", re.IGNORECASE)
_DEPTH: Final = re.compile(r"list[ _-]?(?:bullet|number|continue)[ _-]?(?P<number>[2-9])", re.IGNORECASE)
_KINDS: Final = (
    ("caption", re.compile(r"caption|beschriftung|légende|(?:table|figure|listing)[ _-]?title", re.IGNORECASE)),
    ("item", re.compile(r"list(?!ing)|bullet|aufzählung", re.IGNORECASE)),
    ("code", re.compile(r"code|preformatted|source|listing|terminal|console|macro[ _-]?text", re.IGNORECASE)),
    ("quotation", re.compile(r"quote|zitat|citation|extract", re.IGNORECASE)),
    (
        "lead",
        re.compile(
            r"run[ _-]?in[ _-]?head|box[ _-]?(?:title|head)|(?:note|sidebar)[ _-]?(?:title|head)", re.IGNORECASE
        ),
    ),
    ("furniture", re.compile(r"toc\b|toc[ _-]?\d|verzeichnis \d|index \d", re.IGNORECASE)),
)
_MONOSPACED: Final = re.compile(r"courier|consol|mono|menlo|code", re.IGNORECASE)
_LITERAL: Final = re.compile(r"literal|code|html (?:code|typewriter|sample)|verbatim|source", re.IGNORECASE)


class ParagraphKind(StrEnum):
    """The kinds of paragraphs."""

    TEXT = "text"
    HEADING = "heading"
    ITEM = "item"
    CODE = "code"
    QUOTATION = "quotation"
    CAPTION = "caption"
    LEAD = "lead"
    """A title within a section, for the text that follows."""
    FURNITURE = "furniture"  # no content of its own: tables of contents, indices


@dataclass(frozen=True, slots=True)
class ReadParagraph:
    """A paragraph's kind, and its level (of a heading, 1 the highest) or depth (of an item, 0 the outermost)."""

    kind: ParagraphKind
    level: int = 0
    main: bool = False
    """Whether it is the title of the whole document."""


@dataclass(frozen=True, slots=True)
class Style:
    """A style of paragraphs or of runs."""

    name: str
    base: str
    """The id of the style that it changes; empty if there is none."""
    element: "_Element"


class Chains(dict[str, Style]):
    """The styles of a file by their ids; an empty id is the default style of paragraphs."""

    def chain(self, style_id: str | None) -> Iterator[Style]:
        """Yield a style and those that it is based on."""
        style = self.get(style_id or "")
        for _ in range(8):  # base styles may form a ring (taste)
            if style is not None:
                yield style
            style = self.get(style.base) if style is not None and style.base else None


class Styles(Chains):
    """The styles of a Word file, as a part states them."""

    def __init__(self, root: "_Element | None") -> None:
        for element in [] if root is None else root.iter(tag("w:style")):
            style = Style(value(element, "w:name") or "", value(element, "w:basedOn") or "", element)
            self[element.get(tag("w:styleId"), "")] = style
            if element.get(tag("w:default")) in ("1", "true") and element.get(tag("w:type")) == "paragraph":
                self[""] = style

    def kind_of(self, paragraph: "_Element", is_item: bool) -> ReadParagraph:
        """The kind of a paragraph; `is_item` if it has a number or bullet."""
        styles = list(self.chain(value(paragraph, "w:pPr/w:pStyle")))
        names = [style.name for style in styles if style.name.lower() not in ("", "normal")]
        reading = kind_of_names(names, _outline([paragraph, *(style.element for style in styles)]))
        if reading.kind is ParagraphKind.TEXT and is_item:
            return ReadParagraph(ParagraphKind.ITEM)
        if reading.kind is ParagraphKind.TEXT and _is_monospaced(paragraph):
            return ReadParagraph(ParagraphKind.CODE)
        return reading

    def is_hidden(self, run: "_Element", paragraph_style: str | None) -> bool:
        """Whether a run in a paragraph of this style is hidden."""
        style = value(run, "w:rPr/w:rStyle")
        styles = [*(self.chain(style) if style else ()), *self.chain(paragraph_style)]
        stated = (value(holder, "w:rPr/w:vanish") for holder in (run, *(style.element for style in styles)))
        return next((state for state in stated if state is not None), "0") not in ("0", "false", "off")


def kind_of_names(names: Sequence[str], level: int | None = None) -> ReadParagraph:
    """The kind of a paragraph by the names of its styles; `level` if it is known to be a heading."""
    level = level or next((level for name in names if (level := _level_of(name)) is not None), None)
    if level is not None:
        return ReadParagraph(ParagraphKind.HEADING, level, any(map(_MAIN_TITLE.fullmatch, names)))
    kind = next((ParagraphKind(kind) for name in names for kind, mark in _KINDS if mark.search(name)), None)
    return ReadParagraph(kind or ParagraphKind.TEXT, _depth_of(names) if kind is ParagraphKind.ITEM else 0)


def is_literal(run: "_Element") -> bool:
    """Whether a run is code, by its style or its font."""
    style, font = (
        value(run, f"w:rPr/{name}", attribute) or ""
        for name, attribute in (("w:rStyle", "w:val"), ("w:rFonts", "w:ascii"))
    )
    return _is_literal(style, font)


@cache
def _is_literal(style: str, font: str) -> bool:
    return bool(_LITERAL.search(style) or _MONOSPACED.search(font))


def _is_monospaced(paragraph: "_Element") -> bool:
    runs = [
        run for run in paragraph.iter(tag("w:r")) if any((text.text or "").strip() for text in run.iter(tag("w:t")))
    ]
    return bool(runs) and all(map(is_literal, runs))


@cache
def _level_of(name: str) -> int | None:
    if _TITLE.fullmatch(name):
        return 1
    match = _HEADING.match(name)
    if match is None:
        return None
    level = match["level"].upper()
    return int(level) if level.isdecimal() else ord(level) - ord("A") + 2  # HeadA is below the title, of level 1


def _depth_of(names: Sequence[str]) -> int:
    """The depth of items by style name: `List Bullet 2` is nested in another item."""
    return next((int(match["number"]) - 1 for name in names if (match := _DEPTH.fullmatch(name))), 0)


def _outline(holders: list["_Element"]) -> int | None:
    """The outline level that the first of a paragraph and its styles states; None for running text, 9."""
    stated = (value(holder, "w:pPr/w:outlineLvl") for holder in holders)
    level = next((level for level in stated if level and level.isdecimal()), "9")
    return int(level) + 1 if int(level) < 9 else None
