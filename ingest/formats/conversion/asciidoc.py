"""Converts AsciiDoc to HTML: headings, lists, tables, listings, admonitions, links, notes.

Any text is AsciiDoc. Names and marks are those of the language; what only its processors read (attributes of documents
and blocks) is kept apart from the text.
"""

import html
import re
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Final

from ingest.formats.conversion.asciidoc_tables import table_of
from libs.documents.conversion import ConvertedText, LeftOut

ADMONITIONS: Final = ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION")
_HEADING: Final = re.compile(r"(?P<mark>={1,6}|#{1,6})[ \t]+(?P<text>\S.*)")
_ATTRIBUTE: Final = re.compile(r":(?P<name>!?[\w-]+!?):(?:[ \t]+(?P<value>.*))?")
_BLOCK_STYLE: Final = re.compile(r"\[(?!\[)(?P<style>[^\]]*)\]|\[\[[^\]]+\]\]")
_WORDLESS: Final = re.compile(
    "|".join((*ADMONITIONS, "source.*", "listing.*", "quote.*", "verse.*", "[\\w-]*", "%?header.*"))
)
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
    (re.compile(r"image:(?!:)([^\[\s]+)\[([^\],]*)[^\]]*\]"), r'<img src="\1" alt="\2">'),
    (re.compile(r"(?:link:|(?=https?://|mailto:))([^\[\s<>]+)\[([^\]]+?)\^?\]"), r'<a href="\1">\2</a>'),
    (re.compile(r"xref:[^\[\s]+\[([^\]]+)\]"), r"\1"),
    (re.compile(r"&lt;&lt;(?:[^,&]+,[ ]*)?([^&]+)&gt;&gt;"), r"\1"),
    (re.compile(r"footnote:\w*\[([^\]]+)\]"), r" (\1)"),
    (re.compile(r"(?:btn|kbd|menu|pass|stem|latexmath|asciimath):[^\[\s]*\[([^\]]+)\]"), r"\1"),
    (re.compile(r"\[\[[^\[\]]{1,200}\]\]|\[#[^\[\]]{1,200}\](?=[*_#])"), ""),
    (re.compile(r"(?<![\w*])\*(\S(?:[^*]*\S)?)\*(?![\w*])|\*\*([^*]+)\*\*"), r"<b>\1\2</b>"),
    (re.compile(r"(?<![\w_])_(\S(?:[^_]*\S)?)_(?![\w_])|__([^_]+)__"), r"<i>\1\2</i>"),
    (re.compile(r"(?<![\w#])#(\S(?:[^#]*\S)?)#(?![\w#])"), r"\1"),
    (re.compile(r"[ ]\+$", re.MULTILINE), "<br>"),
)


def convert_asciidoc(source: str) -> ConvertedText:
    """The document as HTML."""
    converter = _Converter()
    body = converter.blocks(source.split("\n"))
    return ConvertedText(f"<html><body>{body}</body></html>", left_out=tuple(converter.left_out))


class _Converter:
    def __init__(self) -> None:
        self.left_out: list[tuple[LeftOut, str]] = []
        self._attributes: dict[str, str] = {}

    def blocks(self, lines: list[str]) -> str:
        """The HTML of lines."""
        return "".join(_Blocks(self, lines).convert())

    def inline(self, text: str) -> str:
        """The HTML of a text within a block."""
        asides: list[str] = []

        def put_aside(match: re.Match[str]) -> str:
            asides.append(f"<code>{match['code']}</code>" if match["code"] else match["plain"])
            return f"\ue000{len(asides) - 1}\ue001"

        text = re.sub(r"\{([\w-]+)\}", lambda name: self._attributes.get(name[1], name[0]), text)
        text = _CODE.sub(put_aside, html.escape(re.sub("[\ue000\ue001]", "", text), quote=False))
        for pattern, replacement in _INLINE:
            text = pattern.sub(replacement, text)
        return _ASIDE.sub(lambda place: asides[int(place[1])], text)

    def attribute(self, name: str, text: str) -> None:
        """Take an attribute, to which later text may refer."""
        self._attributes[name] = text


class _Blocks:
    """Converts the lines of a document or of a block; `_at` is the next line."""

    def __init__(self, converter: _Converter, lines: list[str]) -> None:
        self._converter = converter
        self._inline = converter.inline
        self._lines = [line.rstrip() for line in lines]
        self._at = 0
        self._style = ""
        """The attributes of the next block."""
        self._steps: tuple[Callable[[str], str | None], ...] = (
            self._furniture, self._fenced, self._heading, self._macro, self._title, self._list, self._terms,
        )  # fmt: skip

    def convert(self) -> Iterator[str]:
        """Yield the blocks."""
        while self._at < len(self._lines):
            yield self._block()

    def _block(self) -> str:
        line = self._lines[self._at]
        if not line.strip() or line == "+":
            self._at += 1
            return ""
        if line.startswith("//") and not line.startswith("////"):
            self._at += 1
            self._converter.left_out.append(("HIDDEN", line))
            return ""
        block = next((text for step in self._steps if (text := step(line)) is not None), None)
        return self._paragraph() if block is None else block

    def _take(self) -> str:
        """The attributes of the block that begins here."""
        style, self._style = self._style, ""
        return style

    def _furniture(self, line: str) -> str | None:
        """Attributes of the document and of blocks are told as such; the style of a block is kept for it."""
        block = _BLOCK_STYLE.fullmatch(line)
        attribute = _ATTRIBUTE.fullmatch(line)
        if block is None and attribute is None:
            return None
        self._at += 1
        if attribute is not None:
            self._converter.attribute(attribute["name"], attribute["value"] or "")
        elif block is not None and block["style"] is not None:
            self._style = block["style"]
            if _WORDLESS.fullmatch(self._style):
                return ""
        return f"<nav>{html.escape(line)}</nav>"

    def _heading(self, line: str) -> str | None:
        match = _HEADING.fullmatch(line)
        if match is None:
            return None
        self._at += 1
        self._take()
        level = len(match["mark"])
        return f"<h{level}>{self._inline(match['text'])}</h{level}>"

    def _macro(self, line: str) -> str | None:
        match = _MACRO.fullmatch(line)
        if match is None:
            return None
        self._at += 1
        if match["name"] == "image":
            return f'<p><img src="{html.escape(match["target"])}" alt="{html.escape(match["text"])}"></p>'
        self._converter.left_out.append(("OBJECT", line))
        return ""

    def _title(self, line: str) -> str | None:
        match = _TITLE.fullmatch(line)
        if match is None:
            return None
        self._at += 1
        return f"<p><b>{self._inline(match['text'])}</b></p>"

    def _paragraph(self) -> str:
        first, style = self._at, self._take()
        while self._at < len(self._lines) and (self._at == first or self._goes_on(self._lines[self._at])):
            self._at += 1
        lines = self._lines[first : self._at]
        if lines[0].startswith((" ", "\t")) or style.startswith(("source", "listing")):
            return f"<pre>{html.escape(chr(10).join(lines))}</pre>"
        admonition = _ADMONITION.match(text := "\n".join(lines))
        kind, text = (admonition["kind"], admonition["text"]) if admonition else (style, text)
        return _framed(kind, f"<p>{self._inline(text)}</p>")

    def _goes_on(self, line: str) -> bool:
        """Whether a line continues a paragraph."""
        return bool(line.strip()) and line != "+" and not _FENCE.fullmatch(line) and not _BLOCK_STYLE.fullmatch(line)

    def _fenced(self, line: str) -> str | None:
        if not _FENCE.fullmatch(line):
            return None
        fence, style = line.rstrip("abcdefghijklmnopqrstuvwxyz") if line.startswith("```") else line, self._take()
        inner = list(takewhile(lambda other: other != fence, self._lines[self._at + 1 :]))
        self._at += len(inner) + 2
        text = "\n".join(inner)
        if fence.startswith("///"):
            self._converter.left_out.append(("HIDDEN", text))
            return ""
        if fence[0] in "|!,:":
            return table_of(inner, style, self._inline)
        if fence[0] in "-.`+" and fence != "--":
            language = style.partition(",")[2].partition(",")[0].strip()
            return f'<pre class="language-{html.escape(language)}">{html.escape(text)}</pre>'
        body = self._converter.blocks(inner)
        return f"<blockquote>{body}</blockquote>" if fence[0] == "_" else _framed(style, body)

    def _list(self, line: str) -> str | None:
        return self._items(()) if _ITEM.fullmatch(line) else None

    def _items(self, outer: tuple[str, ...]) -> str:
        """A list and the lists within its items; `outer` are the marks of the lists around it."""
        mark = _mark(self._lines[self._at])
        items: list[str] = []
        while (found := self._next_mark()) and found not in outer:
            if found == mark:
                items.append(self._item())
            else:
                items[-1] += self._items((*outer, mark))
        tag = "ol" if mark[0] in ".1<" else "ul"
        return f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>"

    def _item(self) -> str:
        """The text of an item, and the blocks that `+` attaches to it."""
        match = _ITEM.fullmatch(self._lines[self._at])
        first = self._at
        self._at += 1
        while (
            self._at < len(self._lines) and self._goes_on(line := self._lines[self._at]) and not _ITEM.fullmatch(line)
        ):
            self._at += 1
        text = self._inline("\n".join([match["text"] if match else "", *self._lines[first + 1 : self._at]]))
        while self._at + 1 < len(self._lines) and self._lines[self._at] == "+":
            self._at += 1
            text += self._block()
        return text

    def _next_mark(self) -> str:
        """The mark of the next item; empty if the next line with words is none."""
        ahead = next((at for at in range(self._at, len(self._lines)) if self._lines[at].strip()), len(self._lines))
        mark = _mark(self._lines[ahead]) if ahead < len(self._lines) else ""
        self._at = ahead if mark else self._at
        return mark

    def _terms(self, line: str) -> str | None:
        """A list of terms with their definitions."""
        pieces: list[str] = []
        while self._at < len(self._lines) and (match := _TERM.fullmatch(self._lines[self._at])):
            self._at += 1
            words = [match["text"]] if match["text"] else []
            while self._at < len(self._lines) and self._goes_on(self._lines[self._at]) and not self._is_term():
                words.append(self._lines[self._at])
                self._at += 1
            attached = ""
            while self._at + 1 < len(self._lines) and self._lines[self._at] == "+":
                self._at += 1
                attached += self._block()
            definition = f"<dd>{self._inline(chr(10).join(words))}{attached}</dd>" if words or attached else ""
            pieces.append(f"<dt>{self._inline(match['term'])}</dt>{definition}")
            while self._at + 1 < len(self._lines) and not self._lines[self._at].strip() and self._is_term(1):
                self._at += 1
        return f"<dl>{''.join(pieces)}</dl>" if pieces else None

    def _is_term(self, ahead: int = 0) -> bool:
        return _TERM.fullmatch(self._lines[self._at + ahead]) is not None


def _mark(line: str) -> str:
    """The mark of an item, of which all numbers are the same; empty if the line is none."""
    match = _ITEM.fullmatch(line)
    return re.sub(r"\d+", "1", match["mark"]) if match else ""


def _framed(style: str, body: str) -> str:
    """A block with its label if its style is that of an admonition."""
    kind = style.split(",")[0].strip()
    if kind not in ADMONITIONS:
        return body
    return f'<div class="admonition"><p class="admonition-title">{kind.capitalize()}</p>{body}</div>'
