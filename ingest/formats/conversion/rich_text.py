"""Converts Rich Text by striprtf, which knows its characters; its headings, tables and notes are found here."""

import re
from collections.abc import Callable
from html import escape
from typing import Final

from striprtf.striprtf import rtf_to_text

from ingest.formats.converted import page, unread
from libs.web.unread import LeftOut

CELL, ROW, TABLE, HEADING = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
"""Stand for what striprtf does not keep; Unicode has no such characters in text."""
_WORDS: Final = {"cell": CELL, "row": ROW, "trowd": TABLE, "nestcell": " | ", "nestrow": "; "}
_LAYOUT: Final = re.compile(
    r"\\(?:[\\{}]|(?P<word>nestcell|nestrow|cell|row|trowd)(?![a-z])[ ]?|outlinelevel(?P<level>\d)[ ]?)"
)
_GROUP: Final = re.compile(
    r"\{(?:\\\*)?(?:\\[a-z]+-?\d*[ ]?)*?"
    r"\\(?P<name>footnote|header[lrf]?|footer[lrf]?|annotation|shptxt|pict|object|title|author|creatim|v|deleted)(?![a-z\d])"
)
"""A group that is read apart, behind the marks of its format."""
_REASONS: Final[dict[str, LeftOut]] = {
    **dict.fromkeys(("v", "deleted"), "HIDDEN"),
    **dict.fromkeys((f"{name}{side}" for name in ("header", "footer") for side in ("", "l", "r", "f")), "FURNITURE"),
    **dict.fromkeys(("annotation", "object"), "OBJECT"),
    "pict": "PICTURE",
}
_SHOWN: Final = r"\\(?:v0|plain|pard)(?![a-z\d])"
_HIDDEN: Final = re.compile(rf"\\v(?![a-z\d])(.*?)(?={_SHOWN})", re.DOTALL)
_RESULT: Final = re.compile(r"\\result(?![a-z])")
"""Before what an object shows."""
_BRACES: Final = re.compile(r"\\[\\{}]|[{}]")
_DAY: Final = re.compile(r"\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})")


def to_html(source: str) -> str:
    """The document as HTML; foot notes stand in brackets at their place, text boxes at the end."""
    reader = _Reader(source)
    text = escape(reader.text(), quote=False)
    for pattern, html in _HTML:
        text = pattern.sub(html, text)
    title, date, author = (reader.said.get(name, "") for name in ("title", "creatim", "author"))
    return page("".join((text, *reader.left_out)), title, date, author)


class _Reader:
    """Takes apart what of a document is not its running text."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.said: dict[str, str] = {}
        self.left_out: list[str] = []
        self._boxes: list[str] = []
        self._page = "".join(re.findall(r"\\ansicpg\d+", source)[:1])

    def text(self) -> str:
        """The running text, with marks for its layout."""
        source = self._without_groups(self._source)
        shown = max((match.end() for match in re.finditer(_SHOWN, source)), default=0)
        hidden = _HIDDEN.sub(lambda match: self._leave_out("HIDDEN", match[1]), source[:shown])
        source = hidden + source[shown:]
        end = source.rfind("}")
        source = "".join((source[:end], *(f"\\par {box}" for box in self._boxes), source[end:]))
        return _plain(_LAYOUT.sub(_marked, source))

    def _without_groups(self, source: str) -> str:
        pieces, at = [], 0
        while (match := _GROUP.search(source, at)) is not None:
            end = _end_of_group(source, match.start())
            pieces += [source[at : match.start()], self._read_group(match["name"], source[match.end() : end])]
            at = end + 1
        return "".join((*pieces, source[at:]))

    def _read_group(self, name: str, inner: str) -> str:
        """Take a group in; return what stands in its place."""
        if name == "footnote":
            return "{ (" + re.sub(r"\\(?:par|pard|plain)(?![a-z])", " ", self._without_groups(inner)).strip() + ")}"
        if name == "shptxt":
            self._boxes.append(self._without_groups(inner))
        elif name == "creatim":
            self.said[name] = "-".join(part.zfill(2) for match in _DAY.findall(inner) for part in match)
        elif name in ("title", "author"):
            self.said[name] = self._words(inner)
        else:
            self._leave_out(_REASONS[name], name if name == "pict" else inner)
        return "{}"  # which ends a control word before it

    def _leave_out(self, reason: LeftOut, inner: str) -> str:
        self.left_out.append(unread(reason, self._words(inner)))
        return ""

    def _words(self, inner: str) -> str:
        return " ".join(_plain(f"{{\\rtf1{self._page} {_RESULT.sub('', inner)}}}").split())


def _plain(source: str) -> str:
    return str(rtf_to_text(source, errors="replace"))  # type: ignore[no-untyped-call]


def _end_of_group(source: str, start: int) -> int:
    depth = 0
    for brace in _BRACES.finditer(source, start):
        depth += (brace[0] == "{") - (brace[0] == "}")
        if depth == 0 and brace[0] == "}":
            return brace.start()
    return len(source)


def _marked(match: re.Match[str]) -> str:
    if match["level"]:
        return f"{HEADING}{match['level']}" if match["level"] < "6" else ""
    return _WORDS[match["word"]] if match["word"] else match[0]


def _row(match: re.Match[str]) -> str:
    cells = match[1].replace(TABLE, "").split(CELL)[:-1]
    return f"<table><tr>{''.join(f'<td>{cell.strip()}' for cell in cells)}</table>"


def _heading(match: re.Match[str]) -> str:
    level = int(match["level"]) + 1
    return f"<h{level}>{re.sub(rf'{HEADING}[0-9]', '', match[0]).strip()}</h{level}>"


_HTML: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    (re.compile(rf"{TABLE}([^{ROW}]*){ROW}"), _row),
    (re.compile(rf"^.*?{HEADING}(?P<level>\d).*$", re.MULTILINE), _heading),
    (re.compile(r"^[ \t]*(\d{1,3})[.)]\t\s*(\S.*)$", re.MULTILINE), r'<ol start="\1"><li>\2</ol>'),
    (re.compile(r"^[ \t]*[•·▪◦‣§\uf0b7o-]\t\s*(\S.*)$", re.MULTILINE), r"<ul><li>\1</ul>"),
    (re.compile(r"</table>\s*<table>|</ol>\s*<ol[^>]*>|</ul>\s*<ul>"), ""),
    (re.compile(r"\n"), "<p>"),
    (re.compile(f"[{CELL}{ROW}{TABLE}]"), " "),
)
"""What the marks and lines of a text become, in this order."""
