"""Converts AsciiDoc to HTML: headings, lists, tables, listings, admonitions, links, notes.

Any text is AsciiDoc. Names and marks are those of the language; what only its processors read (attributes of documents
and blocks) is kept apart from the text.
"""

import html
import re
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Final

from ingest.content import Content
from ingest.documents import ReadResult
from ingest.formats.conversion.asciidoc_tables import table_of
from ingest.formats.converted import converted
from libs.documents.conversion import ConvertedText, LeftOut

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
    (re.compile(r"image:(?!:)([^\[\s]+)\[([^\],]*)(?:,[^\]]*)?\]"), r'<img src="\1" alt="\2">'),
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


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document."""
    yield converted(content, "AsciiDoc", convert_asciidoc)


def convert_asciidoc(source: str) -> ConvertedText:
    """The document as HTML."""
    converter = _Converter()
    body = converter.blocks(source.split("\n"))
    return ConvertedText(f"<html><body>{body}</body></html>", left_out=tuple(converter.left_out))


class _Converter:
    def __init__(self) -> None:
        self.left_out: list[tuple[LeftOut, str]] = []
        self.attributes: dict[str, str] = {}
        """Of the document, to which later text may refer."""

    def blocks(self, lines: list[str]) -> str:
        """The HTML of lines."""
        return "".join(_Blocks(self, lines).convert())

    def inline(self, text: str) -> str:
        """The HTML of a text within a block."""
        asides: list[str] = []

        def put_aside(match: re.Match[str]) -> str:
            asides.append(f"<code>{match['code']}</code>" if match["code"] else match["plain"])
            return f"\ue000{len(asides) - 1}\ue001"

        text = re.sub(r"\{([\w-]+)\}", lambda name: self.attributes.get(name[1], name[0]), text)
        text = _CODE.sub(put_aside, html.escape(re.sub("[\ue000\ue001]", "", text), quote=False))
        for pattern, replacement in _INLINE:
            text = pattern.sub(replacement, text)
        return _ASIDE.sub(lambda place: asides[int(place[1])], text)


class _Blocks:
    """Converts the lines of a document or of a block; `_at` is the next line."""

    def __init__(self, converter: _Converter, lines: list[str]) -> None:
        self._converter = converter
        self._inline = converter.inline
        self._lines = [line.rstrip() for line in lines]
        self._at = 0
        self._style = ""
        """The attributes of the next block."""
        self._steps: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
            (_COMMENT, self._comment),
            (_BLOCK_STYLE, self._block_style),
            (_ATTRIBUTE, self._attribute),
            (_FENCE, self._fenced),
            (_HEADING, self._heading),
            (_MACRO, self._macro),
            (_TITLE, self._title),
            (_ITEM, self._list),
            (_TERM, self._terms),
        )

    def convert(self) -> Iterator[str]:
        """Yield the blocks."""
        while self._at < len(self._lines):
            yield self._block()

    def _line(self, ahead: int = 0) -> str:
        """The next line or one after it; empty after the last."""
        return self._lines[self._at + ahead] if self._at + ahead < len(self._lines) else ""

    def _next_while(self, is_wanted: Callable[[str], object]) -> list[str]:
        """The next lines up to the first that is not wanted."""
        return list(takewhile(is_wanted, map(self._lines.__getitem__, range(self._at, len(self._lines)))))

    def _block(self) -> str:
        line = self._line()
        if not line.strip() or line == "+":
            self._at += 1
            return ""
        for pattern, step in self._steps:
            if match := pattern.fullmatch(line):
                return step(match)
        return self._paragraph()

    def _take(self) -> str:
        """The attributes of the block that begins here."""
        style, self._style = self._style, ""
        return style

    def _comment(self, match: re.Match[str]) -> str:
        self._at += 1
        self._converter.left_out.append(("HIDDEN", match[0]))
        return ""

    def _block_style(self, match: re.Match[str]) -> str:
        """Keep the style for the next block; one of which a reader does not see the effect is furniture."""
        self._at += 1
        if match["style"] is not None:
            self._style = match["style"]
            if _WORDLESS.fullmatch(self._style):
                return ""
        return f"<nav>{html.escape(match[0])}</nav>"

    def _attribute(self, match: re.Match[str]) -> str:
        self._at += 1
        self._converter.attributes[match["name"]] = match["value"] or ""
        return f"<nav>{html.escape(match[0])}</nav>"

    def _heading(self, match: re.Match[str]) -> str:
        self._at += 1
        self._take()
        level = len(match["mark"])
        return f"<h{level}>{self._inline(match['text'])}</h{level}>"

    def _macro(self, match: re.Match[str]) -> str:
        self._at += 1
        if match["name"] == "image":
            return f'<p><img src="{html.escape(match["target"])}" alt="{html.escape(match["text"])}"></p>'
        self._converter.left_out.append(("OBJECT", match[0]))
        return ""

    def _title(self, match: re.Match[str]) -> str:
        self._at += 1
        return f"<p><b>{self._inline(match['text'])}</b></p>"

    def _paragraph(self) -> str:
        first, style = self._line(), self._take()
        self._at += 1
        lines = [first, *self._continuation()]
        if first.startswith((" ", "\t")) or style.startswith(("source", "listing")):
            return f"<pre>{html.escape(chr(10).join(lines))}</pre>"
        admonition = _ADMONITION.match(text := "\n".join(lines))
        kind, text = (admonition["kind"], admonition["text"]) if admonition else (style, text)
        return _framed(kind, f"<p>{self._inline(text)}</p>")

    def _continuation(self, *ends: re.Pattern[str]) -> list[str]:
        """The lines that continue a paragraph; those of these patterns end it, too."""
        patterns = (_FENCE, _BLOCK_STYLE, *ends)
        lines = self._next_while(
            lambda line: line.strip() and line != "+" and not any(pattern.fullmatch(line) for pattern in patterns)
        )
        self._at += len(lines)
        return lines

    def _attached(self) -> str:
        """The blocks that `+` attaches to an item."""
        text = ""
        while self._line() == "+":
            self._at += 1
            text += self._block()
        return text

    def _fenced(self, match: re.Match[str]) -> str:
        fence, style = "```" if match[0].startswith("```") else match[0], self._take()
        self._at += 1
        inner = self._next_while(lambda other: other != fence)
        self._at += len(inner) + 1
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

    def _list(self, match: re.Match[str]) -> str:
        return self._items(_mark(match[0]), ())

    def _items(self, mark: str, outer: tuple[str, ...]) -> str:
        """A list and the lists within its items; `outer` are the marks of the lists around it."""
        items: list[str] = []
        while (found := self._next_mark()) and found not in outer:
            if found == mark:
                items.append(self._item())
            else:
                items[-1] += self._items(found, (*outer, mark))
        tag = "ol" if mark[0] in ".1<" else "ul"
        return f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>"

    def _item(self) -> str:
        """The text of an item, and the blocks that `+` attaches to it."""
        match = _ITEM.fullmatch(self._line())
        self._at += 1
        lines = [match["text"] if match else "", *self._continuation(_ITEM)]
        return self._inline("\n".join(lines)) + self._attached()

    def _next_mark(self) -> str:
        """The mark of the next item; empty if the next line with words is none."""
        blank = len(self._next_while(lambda line: not line.strip()))
        mark = _mark(self._line(blank))
        self._at += blank if mark else 0
        return mark

    def _terms(self, _: re.Match[str]) -> str:
        """A list of terms with their definitions."""
        pieces: list[str] = []
        while match := _TERM.fullmatch(self._line()):
            self._at += 1
            words = [*filter(None, [match["text"]]), *self._continuation(_TERM)]
            attached = self._attached()
            definition = f"<dd>{self._inline(chr(10).join(words))}{attached}</dd>" if words or attached else ""
            pieces.append(f"<dt>{self._inline(match['term'])}</dt>{definition}")
            if not self._line().strip() and _TERM.fullmatch(self._line(1)):
                self._at += 1
        return f"<dl>{''.join(pieces)}</dl>"


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
