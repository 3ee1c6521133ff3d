"""Converts AsciiDoc to HTML: headings, lists, tables, listings, admonitions, links, notes.

Any text is AsciiDoc. Names and marks are those of the language; what only its processors read (attributes of documents
and blocks) is left out as furniture. HTML closes items and terms by itself.
"""

import html
import re
from collections import deque
from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import Final

from ingest.formats.conversion.asciidoc_tables import table_of
from ingest.formats.converted import page, unread

ADMONITIONS: Final = ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION")
_HEADING: Final = re.compile(r"(?P<mark>={1,6}|#{1,6})[ \t]+(?P<text>\S.*)")
_ATTRIBUTE: Final = re.compile(r":(?P<name>!?[\w-]+!?):(?:[ \t]+(?P<value>.*))?")
_COMMENT: Final = re.compile(r"//(?!//).*")
_BLOCK_STYLE: Final = re.compile(r"\[(?!\[)(?P<style>[^\]]*)\]|\[\[[^\]]+\]\]")
_WORDLESS: Final = re.compile(r"[\w-]*|(?:source|listing|quote|verse|%?header).*")
"""Styles of which a reader sees the effect."""
_TITLE: Final = re.compile(r"\.(?P<text>[^.\s].*)")
_ITEM: Final = re.compile(r"[ \t]*(?P<mark>\*{1,6}|-|\.{1,6}|\d+\.|<[\d.]+>)[ \t]+(?P<text>\S.*)")
_TERM: Final = re.compile(r"[ \t]*(?P<term>[^:\s].*?)(?P<mark>:{2,4}|;;)(?:[ \t]+(?P<text>.*))?")
_FENCE: Final = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|```\w*|[|!,:]={3,})")
_MACRO: Final = re.compile(r"(?P<name>image|video|audio|include|toc)::(?P<target>[^\[]*)\[(?P<text>[^\]]*)\]")
_ADMONITION: Final = re.compile(rf"(?P<kind>{'|'.join(ADMONITIONS)}):[ \t]+(?P<text>.*)", re.DOTALL)
_CODE: Final = re.compile(r"(?<!\w)(?:`\+?(?P<code>[^`\n]+?)\+?`|\+(?P<plain>[^+\n]+)\+)(?!\w)")
_ASIDE: Final = re.compile("\ue000(\\d+)\ue001")
_INLINE: Final = (
    (re.compile(r"\(\(\([^()]{1,1000}\)\)\)"), ""),
    (re.compile(r"image:(?!:)([^\[\s]{1,2000})\[([^\],]{0,2000})(?:,[^\]]{0,2000})?\]"), r'<img src="\1" alt="\2">'),
    (re.compile(r"(?:link:|(?=https?://|mailto:))([^\[\s<>]{1,2000})\[([^\]]{1,2000}?)\^?\]"), r'<a href="\1">\2</a>'),
    (re.compile(r"xref:[^\[\s]{1,2000}\[([^\]]{1,2000})\]"), r"\1"),
    (re.compile(r"&lt;&lt;(?:[^,&]+,[ ]*)?([^&]+)&gt;&gt;"), r"\1"),
    (re.compile(r"footnote:\w{0,2000}\[([^\]]{1,2000})\]"), r" (\1)"),
    (re.compile(r"(?:btn|kbd|menu|pass|stem|latexmath|asciimath):[^\[\s]{0,2000}\[([^\]]{1,2000})\]"), r"\1"),
    (re.compile(r"\[\[[^\[\]]{1,200}\]\]|\[#[^\[\]]{1,200}\](?=[*_#])"), ""),
    (re.compile(r"(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?![\w*])|\*\*([^*]+)\*\*"), r"<b>\1\2</b>"),
    (re.compile(r"(?<![\w_])_(\S(?:[^_]*\S)?)_(?![\w_])|__([^_]+)__"), r"<i>\1\2</i>"),
    (re.compile(r"(?<![\w#])#(\S(?:[^#]*\S)?)#(?![\w#])"), r"\1"),
    (re.compile(r"[ ]\+$", re.MULTILINE), "<br>"),
)
"""Lengths bound how far a mark that is never closed is searched (taste)."""


def to_html(source: str) -> str:
    """The document as HTML."""
    return page(_Blocks(source.split("\n"), {}).html())


class _Blocks:
    """Converts the lines of a document or of a block, which it takes one after another."""

    def __init__(self, lines: Iterable[str], attributes: dict[str, str]) -> None:
        self._lines = deque(line.rstrip() for line in lines)
        self._attributes = attributes
        """Of the document, to which later text may refer."""
        self._style = ""
        """The attributes of the next block."""

    def html(self) -> str:
        """The HTML of all lines that are left."""
        pieces = []
        while self._lines:
            pieces.append(self._block())
        return "".join(pieces)

    def _block(self) -> str:
        line = self._lines.popleft()
        if not line.strip() or line == "+":
            return ""
        for pattern, step in _STEPS:
            if match := pattern.fullmatch(line):
                return step(self, match)
        return self._paragraph(line)

    def _take_while(self, is_wanted: Callable[[str], object]) -> list[str]:
        taken = list(takewhile(is_wanted, self._lines))
        for _ in taken:
            self._lines.popleft()
        return taken

    def _take_style(self) -> str:
        style, self._style = self._style, ""
        return style

    def _next(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Take the next line with words if it is of a pattern."""
        place = next((place for place, line in enumerate(self._lines) if line.strip()), None)
        match = None if place is None else pattern.fullmatch(self._lines[place])
        for _ in range(place + 1 if match and place is not None else 0):
            self._lines.popleft()
        return match

    def _inline(self, text: str) -> str:
        asides: list[str] = []

        def put_aside(match: re.Match[str]) -> str:
            asides.append(f"<code>{match['code']}</code>" if match["code"] else match["plain"])
            return f"\ue000{len(asides) - 1}\ue001"

        text = re.sub(r"\{([\w-]+)\}", lambda name: self._attributes.get(name[1], name[0]), text)
        text = _CODE.sub(put_aside, html.escape(re.sub("[\ue000\ue001]", "", text), quote=False))
        for pattern, replacement in _INLINE:
            text = pattern.sub(replacement, text)
        return _ASIDE.sub(lambda place: asides[int(place[1])], text)

    def _comment(self, match: re.Match[str]) -> str:
        return unread("HIDDEN", match[0])

    def _block_style(self, match: re.Match[str]) -> str:
        self._style = match["style"] or self._style
        return "" if _WORDLESS.fullmatch(match["style"] or "") else f"<nav>{html.escape(match[0])}</nav>"

    def _attribute(self, match: re.Match[str]) -> str:
        self._attributes[match["name"]] = match["value"] or ""
        return f"<nav>{html.escape(match[0])}</nav>"

    def _heading(self, match: re.Match[str]) -> str:
        self._take_style()
        level = len(match["mark"])
        return f"<h{level}>{self._inline(match['text'])}</h{level}>"

    def _macro(self, match: re.Match[str]) -> str:
        if match["name"] != "image":
            return unread("OBJECT", match[0])
        return f'<p><img src="{html.escape(match["target"])}" alt="{html.escape(match["text"])}"></p>'

    def _title(self, match: re.Match[str]) -> str:
        return f"<p><b>{self._inline(match['text'])}</b></p>"

    def _paragraph(self, first: str) -> str:
        text, style = "\n".join((first, *self._continuation())), self._take_style()
        if first.startswith((" ", "\t")) or style.startswith(("source", "listing")):
            return f"<pre>{html.escape(text)}</pre>"
        admonition = _ADMONITION.match(text)
        kind, words = (admonition["kind"], admonition["text"]) if admonition else (style, text)
        return _framed(kind, f"<p>{self._inline(words)}</p>")

    def _continuation(self, *ends: re.Pattern[str]) -> list[str]:
        """The lines that continue a paragraph; those of these patterns end it, too."""
        patterns = (_FENCE, _BLOCK_STYLE, *ends)
        return self._take_while(
            lambda line: line.strip() and line != "+" and not any(pattern.fullmatch(line) for pattern in patterns)
        )

    def _words(self, match: re.Match[str], pattern: re.Pattern[str]) -> str:
        """What belongs to an item or term: its own text, and the blocks that `+` attaches to it."""
        text = self._inline("\n".join((match["text"] or "", *self._continuation(pattern))).strip())
        while self._lines and self._lines[0] == "+":
            self._lines.popleft()
            text += self._block() if self._lines else ""
        return text

    def _fenced(self, match: re.Match[str]) -> str:
        fence, style = "```" if match[0].startswith("```") else match[0], self._take_style()
        inner = self._take_while(lambda other: other != fence)
        if self._lines:
            self._lines.popleft()
        text = "\n".join(inner)
        if fence.startswith("///"):
            return unread("HIDDEN", text)
        if fence[0] in "|!,:":
            return table_of(inner, style, self._inline)
        if fence[0] in "-.`+" and fence != "--":
            language = style.partition(",")[2].partition(",")[0].strip()
            return f'<pre class="language-{html.escape(language)}">{html.escape(text)}</pre>'
        body = _Blocks(inner, self._attributes).html()
        return f"<blockquote>{body}</blockquote>" if fence[0] == "_" else _framed(style, body)

    def _list(self, match: re.Match[str] | None) -> str:
        """A list and the lists within its items, each of which has a mark of its own."""
        pieces: list[str] = []
        marks: list[str] = []
        while match:
            mark = re.sub(r"\d+", "1", match["mark"])
            if mark not in marks:
                marks.append(mark)
                pieces.append(f"<{_list_tag(mark)}>")
            while marks[-1] != mark:
                pieces.append(f"</{_list_tag(marks.pop())}>")
            pieces.append(f"<li>{self._words(match, _ITEM)}")
            match = self._next(_ITEM)
        return "".join((*pieces, *(f"</{_list_tag(mark)}>" for mark in reversed(marks))))

    def _terms(self, match: re.Match[str] | None) -> str:
        pieces: list[str] = []
        while match:
            words = self._words(match, _TERM)
            pieces.append(f"<dt>{self._inline(match['term'])}" + (f"<dd>{words}" if words else ""))
            match = self._next(_TERM)
        return f"<dl>{''.join(pieces)}</dl>"


_STEPS: Final[tuple[tuple[re.Pattern[str], Callable[[_Blocks, re.Match[str]], str]], ...]] = (
    (_COMMENT, _Blocks._comment),
    (_BLOCK_STYLE, _Blocks._block_style),
    (_ATTRIBUTE, _Blocks._attribute),
    (_FENCE, _Blocks._fenced),
    (_HEADING, _Blocks._heading),
    (_MACRO, _Blocks._macro),
    (_TITLE, _Blocks._title),
    (_ITEM, _Blocks._list),
    (_TERM, _Blocks._terms),
)
"""What a line begins, by its form; any other one begins a paragraph."""


def _list_tag(mark: str) -> str:
    return "ol" if mark[0] in ".1<" else "ul"


def _framed(style: str, body: str) -> str:
    """A block with its label if its style is that of an admonition."""
    kind = style.split(",")[0].strip()
    if kind not in ADMONITIONS:
        return body
    return f'<div class="admonition"><p class="admonition-title">{kind.capitalize()}</p>{body}</div>'
