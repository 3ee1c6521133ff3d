"""The kind of a Word paragraph by its style: by its base styles, its outline level, or its name.

Publishers and companies have their own templates, with styles called HeadA or CodeListing: names are used where nothing
else identifies the kind. Pure; levels and outline levels up to 9 are those of Word, where 9 is body text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from ingest.formats.office.packages import Element, tag, value
from libs.contracts.structure import BlockKind

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
_KINDS: Final = {
    BlockKind.CAPTION: r"caption|beschriftung|légende|(?:table|figure|listing)[ _-]?title",
    BlockKind.LIST: r"list(?!ing)|bullet|aufzählung",
    BlockKind.CODE: r"code|preformatted|source|listing|terminal|console|macro[ _-]?text",
    BlockKind.QUOTATION: r"quote|zitat|citation|extract",
    BlockKind.FURNITURE: r"toc\b|toc[ _-]?\d|verzeichnis \d|index \d",
}
"""What names of styles contain."""
_LITERAL: Final = re.compile(
    r"literal|code|typewriter|html sample|verbatim|source[ _]?text|courier|consol|mono|menlo", re.IGNORECASE
)
"""What names of the styles and fonts of code contain."""


@dataclass(frozen=True, slots=True)
class ReadParagraph:
    """What a paragraph is."""

    kind: BlockKind = BlockKind.PARAGRAPH
    heading: int = 0
    """The level of a heading, 1 the highest; 0 if it is none."""
    depth: int = 0
    """Of an item; 0 is the outermost."""
    main: bool = False
    """Whether it is the title of the whole document."""


@dataclass(frozen=True, slots=True)
class Style:
    """A style of paragraphs or of runs."""

    name: str
    base: str
    """The id of the style that it changes; empty if there is none."""
    element: Element


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

    def __init__(self, root: Element) -> None:
        for element in root.iter(tag("w:style")):
            style = Style(value(element, "w:name") or "", value(element, "w:basedOn") or "", element)
            self[element.get(tag("w:styleId"), "")] = style
            if element.get(tag("w:default")) in ("1", "true") and element.get(tag("w:type")) == "paragraph":
                self[""] = style

    def kind_of(self, paragraph: Element, is_item: bool) -> ReadParagraph:
        """The kind of a paragraph; `is_item` if it has a number or bullet."""
        styles = list(self.chain(value(paragraph, "w:pPr/w:pStyle")))
        names = [style.name for style in styles if style.name.lower() not in ("", "normal")]
        reading = kind_of_names(names, _outline([paragraph, *(style.element for style in styles)]))
        if reading != ReadParagraph():
            return reading
        return ReadParagraph(BlockKind.LIST if is_item else BlockKind.CODE if _is_code(paragraph) else reading.kind)

    def is_hidden(self, run: Element, paragraph_style: str | None) -> bool:
        """Whether a run in a paragraph of this style is hidden."""
        style = value(run, "w:rPr/w:rStyle")
        styles = [*(self.chain(style) if style else ()), *self.chain(paragraph_style)]
        stated = (value(holder, "w:rPr/w:vanish") for holder in (run, *(style.element for style in styles)))
        return next((state for state in stated if state is not None), "0") not in ("0", "false", "off")


def kind_of_names(names: Sequence[str], level: int = 0) -> ReadParagraph:
    """The kind of a paragraph by the names of its styles; `level` if it is known to be a heading."""
    if level := level or next(filter(None, map(_level_of, names)), 0):
        return ReadParagraph(heading=level, main=any(map(_MAIN_TITLE.fullmatch, names)))
    kinds = (kind for name in names for kind, mark in _KINDS.items() if re.search(mark, name, re.IGNORECASE))
    depths = (int(match["number"]) - 1 for name in names if (match := _DEPTH.fullmatch(name)))
    return ReadParagraph(next(kinds, BlockKind.PARAGRAPH), depth=next(depths, 0))


def _is_code(paragraph: Element) -> bool:
    """Whether each run is code, by its style or its font."""
    runs = [run for run in paragraph.iter(tag("w:r")) if (run.findtext(tag("w:t")) or "").strip()]
    names = ((value(run, "w:rPr/w:rStyle"), value(run, "w:rPr/w:rFonts", "w:ascii")) for run in runs)
    return bool(runs) and all(_LITERAL.search(f"{style or ''}, {font or ''}") for style, font in names)


@cache
def _level_of(name: str) -> int:
    match = _HEADING.match(name)
    if match is None or _TITLE.fullmatch(name):
        return 1 if _TITLE.fullmatch(name) else 0
    level = match["level"].upper()
    return int(level) if level.isdecimal() else ord(level) - ord("A") + 2  # HeadA is below the title, of level 1


def _outline(holders: list[Element]) -> int:
    """The outline level that the first of a paragraph and its styles states, from 1; 0 for running text."""
    stated = (value(holder, "w:pPr/w:outlineLvl") for holder in holders)
    level = next((level for level in stated if level and level.isdecimal()), "9")
    return int(level) + 1 if int(level) < 9 else 0
