"""The kind of a Word paragraph by its style: by its base styles, its outline level, or its name.

Publishers and companies have their own templates, with styles called HeadA or CodeListing: names are used where nothing
else identifies the kind. Pure; levels and outline levels up to 9 are those of Word, where 9 is body text.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from docx.text.paragraph import Paragraph

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
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
_NUMBERED: Final = re.compile(r"number|nummer", re.IGNORECASE)
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
    numbered: bool = False
    main: bool = False
    """Whether it is the title of the whole document."""


def kind_of_paragraph(paragraph: "Paragraph") -> ReadParagraph:
    """Return the kind of a paragraph."""
    names = list(_names(paragraph))
    level = _outline(paragraph)
    if level is None:
        level = next((heading_level for name in names if (heading_level := _level_of(name)) is not None), None)
    if level is not None:
        return ReadParagraph(ParagraphKind.HEADING, level, main=any(map(_MAIN_TITLE.fullmatch, names)))
    style_kind = next((ParagraphKind(kind) for name in names for kind, mark in _KINDS if mark.search(name)), None)
    numbering = _numbering(paragraph)
    if style_kind in (None, ParagraphKind.ITEM) and (numbering is not None or style_kind is ParagraphKind.ITEM):
        depth, numbered = numbering or (_depth_of(names), any(map(_NUMBERED.search, names)))
        return ReadParagraph(ParagraphKind.ITEM, depth, numbered)
    if style_kind is None and _is_monospaced(paragraph):
        return ReadParagraph(ParagraphKind.CODE)
    return ReadParagraph(style_kind or ParagraphKind.TEXT)


def words_of(paragraph: "Paragraph", ticks: bool = True) -> str:
    """The text with all tracked changes accepted; `ticks` puts backticks around code in a sentence."""
    pieces: list[tuple[bool, str]] = []
    for run in paragraph._p.iter(f"{W}r"):
        if not any(ancestor.tag == f"{W}del" for ancestor in run.iterancestors(f"{W}del", f"{W}p")):
            pieces.append((_is_literal(run), "".join(map(_text_of, run))))
    return _with_backticks(pieces) if ticks else "".join(text for _, text in pieces)


def _with_backticks(pieces: list[tuple[bool, str]]) -> str:
    """Join runs; adjacent literal runs share one pair of backticks, with white space outside."""
    if all(literal for literal, text in pieces if text.strip()):
        return "".join(text for _, text in pieces)
    words = ""
    for literal, group in groupby(pieces, key=lambda piece: piece[0]):
        text = "".join(text for _, text in group)
        if literal and text.strip() and "`" not in text:
            lead = text[: len(text) - len(text.lstrip())]
            words += f"{lead}`{text.strip()}`{text[len(text.rstrip()) :]}"
        else:
            words += text
    return words


def _text_of(element: Any) -> str:
    if element.tag == f"{W}t":
        return element.text or ""
    if element.tag in (f"{W}br", f"{W}cr"):
        return "\n"
    if element.tag == f"{W}noBreakHyphen":
        return "-"
    return "\t" if element.tag == f"{W}tab" else ""


def _is_literal(run: Any) -> bool:
    properties = run.find(f"{W}rPr")
    if properties is None:
        return False
    style, fonts = properties.find(f"{W}rStyle"), properties.find(f"{W}rFonts")
    is_literal_style = style is not None and _LITERAL.search(style.get(f"{W}val") or "")
    return bool(is_literal_style or (fonts is not None and _MONOSPACED.search(fonts.get(f"{W}ascii") or "")))


def _is_monospaced(paragraph: "Paragraph") -> bool:
    runs = [run for run in paragraph._p.iter(f"{W}r") if any(_text_of(element).strip() for element in run)]
    return bool(runs) and all(map(_is_literal, runs))


def _names(paragraph: "Paragraph") -> Any:
    """Yield the names of its style and of the base styles, its own first; `Normal` is skipped."""
    style: Any = paragraph.style
    for _ in range(8):  # base styles may form a ring (taste)
        if style is None:
            return
        if style.name and style.name.lower() != "normal":
            yield style.name
        style = style.base_style


def _level_of(name: str) -> int | None:
    if _TITLE.fullmatch(name):
        return 1
    match = _HEADING.match(name)
    if match is None:
        return None
    level = match["level"].upper()
    return int(level) if level.isdecimal() else ord(level) - ord("A") + 2  # HeadA is below the title, of level 1


def _depth_of(names: list[str]) -> int:
    """The depth of items by style name: `List Bullet 2` is nested in another item."""
    return next((int(match["number"]) - 1 for name in names if (match := _DEPTH.fullmatch(name))), 0)


def _outline(paragraph: "Paragraph") -> int | None:
    """The outline level that the paragraph or one of its styles states; None for running text (9) or if not stated."""
    holders = [paragraph._p.pPr]
    style: Any = paragraph.style
    for _ in range(8):  # base styles may form a ring (taste)
        if style is not None:
            holders.append(style.element.pPr)
            style = style.base_style
    for holder in holders:
        level = holder.find(f"{W}outlineLvl") if holder is not None else None
        if level is not None and (level.get(f"{W}val") or "").isdecimal():
            value = int(level.get(f"{W}val"))
            return value + 1 if value < 9 else None
    return None


def _numbering(paragraph: "Paragraph") -> tuple[int, bool] | None:
    """The depth of an item, and whether it is numbered; None for a paragraph that is not an item."""
    properties = paragraph._p.pPr
    numbering: Any = properties.numPr if properties is not None else None
    if numbering is None or numbering.numId is None or not numbering.numId.val:
        return None
    depth = numbering.ilvl.val if numbering.ilvl is not None else 0
    return depth, _is_numbered(paragraph, numbering.numId.val, depth)


def _is_numbered(paragraph: "Paragraph", number: int, depth: int) -> bool:
    try:
        root: Any = paragraph.part.numbering_part.element  # type: ignore[attr-defined]
    except (AttributeError, KeyError, NotImplementedError):  # python-docx creates no numbering part if there is none
        return False
    ids = root.xpath(f"w:num[@w:numId='{number}']/w:abstractNumId/@w:val")
    formats = (
        root.xpath(f"w:abstractNum[@w:abstractNumId='{ids[0]}']/w:lvl[@w:ilvl='{depth}']/w:numFmt/@w:val")
        if ids
        else []
    )
    return bool(formats) and formats[0] not in ("bullet", "none")
