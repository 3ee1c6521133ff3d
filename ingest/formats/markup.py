"""Markdown as its author wrote it, without the syntax of site generators.

Templating (Liquid, Jinja, Hugo, Hexo), comments, HTML tags, attribute lists and anchors are removed; admonitions become
paragraphs that begin with their title or kind; links within a site become their words. Code, fenced or inline, is not
changed. Pure functions. Numbers in patterns are CommonMark's for fences and definitions; the others are taste, most of
them bounds on how far a mark that is never closed is searched.
"""

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Final

from ingest.formats.raw_html import with_blocks, with_characters, with_inline

_FENCE: Final = re.compile(r"^[ \t>]*(?P<mark>`{3,}|~{3,})")
_CODE: Final = re.compile(r"(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)", re.DOTALL)
_MARK: Final = "\ue000"
"""Marks code that is set aside: a private-use character, which is removed from the text first."""
_LABEL: Final = "\ufdd0"
"""Marks the label of an admonition until it is joined with the text below; Unicode has no such character in text."""
_LABELLED: Final = re.compile(
    rf"^(?P<lead>[ \t>]*){_LABEL}(?P<label>[^\n]+)\n(?:[ \t>]*\n)*+(?P=lead)"
    rf"(?!{_LABEL}|[-+*]\s|[#|~>]|```|\d+[.)]\s)(?=\S)",
    re.MULTILINE,
)
"""A label above a paragraph; above a list, a table or code it stays a line of its own."""
_ASIDE: Final = re.compile(rf"{_MARK}(\d+);")
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_TEMPLATE: Final = re.compile(r"\{%-?.{0,2000}?-?%\}|\{\{.{0,500}?\}\}", re.DOTALL)
_RAW: Final = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")
_ATTRIBUTES: Final = re.compile(
    r"(?<![ \t])[ \t]*\{[:#.][^{}\n]{0,200}\}(?=[ \t]*(?:\n|\Z))|(?<=[)\]`*])\{:?[ ]?[#.:][^{}\n]{0,200}\}"
)
_CONTAINER: Final = re.compile(
    r"^(?P<indent>[ \t]*):{3,}[ \t]*\{?(?P<kind>[\w-]*)\}?[ \t]*(?P<title>[^\n]*)$", re.MULTILINE
)
_ADMONITION: Final = re.compile(
    r"^(?P<indent>[ ]*)(?:!!!|\?\?\?\+?|===\+?)[ \t]+(?P<kind>[\w-]+(?:[ \t]+[\w-]+)*)?[ \t]*"
    r"(?:\"(?P<title>[^\"\n]*)\")?[ \t]*$"
)
_ALERT: Final = re.compile(r"^([ \t]*>[ \t]*)(?:\[!(\w+)\]|\*\*(\w[\w ]{0,30}:?)\*\*)[ \t]*$", re.MULTILINE)
"""`> [!NOTE]`, or a quoted line of a few bold words: `> **Note**`."""
_BADGE: Final = re.compile(r"\[!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_TAG: Final = re.compile(
    r"</?(?:a|abbr|article|aside|b|big|blockquote|center|cite|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|"
    r"footer|header|hr|i|iframe|img|ins|kbd|li|main|mark|nav|ol|p|picture|q|s|section|small|source|span|strike|strong|"
    r"sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|video|Tabs|TabItem)\b[^<>\n]{0,1000}/?>",
    re.IGNORECASE,
)
_ANCHORED: Final = re.compile(
    r"<a\b[^<>]*?href=[\"'](?P<url>https?://[^\"']+)[\"'][^<>]*>(?P<words>(?:[^<>\n]|\n(?![ \t]*\n))*)</a>",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LINK: Final = re.compile(
    r"(?<!!)\[(?P<words>(?:[^\[\]\n]|\n(?!\n)){1,500})\]\((?P<url><[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"\n]*\")?\s*\)"
)
_REFERENCE: Final = re.compile(r"(?<!!)\[(?P<words>[^\[\]]{1,500})\]\[(?P<name>[^\[\]\n]{0,200})\]")
_DEFINITION: Final = re.compile(r"^[ ]{0,3}\[(?P<name>[^\[\]^\n]+)\]:[ \t]*(?P<url>\S+).*$", re.MULTILINE)
_WIKI_LINK: Final = re.compile(r"\[\[(?:[^\[\]|\n]*\|)?(?P<words>[^\[\]|\n]+)\]\]")
_CONTENTS_ITEM: Final = r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[^\]\n]*\]\(#[^)\n]*\)[ \t,|/·]*)+"
_CONTENTS: Final = re.compile(rf"(?:{_CONTENTS_ITEM}\n)+{_CONTENTS_ITEM}$", re.MULTILINE)
"""Items that are only links to sections of the same page; parsing recognizes tables of contents by these links."""
_BLANK: Final = re.compile(r"(?m)^[ \t]+$")
_MANY_BLANKS: Final = re.compile(r"\n{4,}")
_EXTERNAL: Final = ("http://", "https://", "mailto:")


def clean_markdown(source: str) -> str:
    """Return the author's text with plain CommonMark only."""
    links = {match["name"].lower(): match["url"].strip("<>") for match in _DEFINITION.finditer(source)}
    source = _dedented_admonitions(source.replace(_LABEL, ""))
    text = "".join(_prose(piece, links) if is_prose else piece for is_prose, piece in _pieces(source))
    text = _LABELLED.sub(lambda match: f"{match['lead']}{match['label']} ", text).replace(_LABEL, "")
    return _MANY_BLANKS.sub("\n\n\n", _BLANK.sub("", text)).strip("\n")


def comments_of(source: str) -> list[str]:
    """The comments of a Markdown text, which no reader sees."""
    prose = (piece for is_prose, piece in _pieces(source) if is_prose)
    return [comment for piece in prose for comment in _COMMENT.findall(piece, 0, _end_of_comments(piece))]


def _end_of_comments(text: str) -> int:
    """Where the last comment ends: beyond it, none that is never closed is searched to the end of the text."""
    return text.rfind("-->") + len("-->")


def _pieces(source: str) -> Iterator[tuple[bool, str]]:
    """Yield stretches of lines, and whether they are prose rather than fenced code."""
    piece: list[str] = []
    fence = ""
    for line in source.splitlines(keepends=True):
        outer, fence = fence, _fence_after(fence, line)
        if fence and not outer:
            yield True, "".join(piece)
            piece = []
        piece.append(line)
        if outer and not fence:
            yield False, "".join(piece)
            piece = []
    yield not fence, "".join(piece)


def _fence_after(fence: str, line: str) -> str:
    """The mark of the fenced code that goes on after a line, by that before the line; empty outside code."""
    match = _FENCE.match(line)
    if not fence:
        return match["mark"] if match else ""
    is_closing = match is not None and match["mark"].startswith(fence) and not line.strip(" \t>`~\r\n")
    return "" if is_closing else fence


def _prose(text: str, links: dict[str, str]) -> str:
    """Clean prose; inline code is set aside meanwhile."""
    asides: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        asides.append(match[0])
        return f"{_MARK}{len(asides) - 1};"

    text = _RAW.sub("", text.replace(_MARK, ""))
    end = _end_of_comments(text)
    text = _COMMENT.sub("", text[:end]) + text[end:]
    text = with_inline(with_blocks(text))
    text = _CODE.sub(put_aside, _CONTENTS.sub(put_aside, text))
    for pattern, replacement in _STEPS:
        text = pattern.sub(replacement, text)
    text = _REFERENCE.sub(lambda match: _resolve_reference(match, links), with_characters(text))
    text = _LINK.sub(_reduce_link, text)
    return _ASIDE.sub(lambda match: asides[int(match[1])], text)


def _container(match: re.Match[str]) -> str:
    """Turn `::: tip Title` into the title as a label, and `:::` into nothing."""
    return f"\n{_label(match['title'].strip() or match['kind'].capitalize())}\n"


def _label(title: str) -> str:
    """The label of an admonition's text: `**Warning:**`; empty without a title."""
    title = unescape(title).strip()
    if not title:
        return ""
    return f"{_LABEL}**{title}**" if title[-1] in ".:!?" else f"{_LABEL}**{title}:**"


_STEPS: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    (_TEMPLATE, ""),
    (_CONTAINER, _container),
    (_ALERT, lambda match: f"{match[1]}{_label(match[3] or match[2].capitalize())}"),
    (_ANCHORED, r"[\g<words>](\g<url>)"),
    (_BREAK, " "),
    (_TAG, ""),
    (_BADGE, ""),
    (_ATTRIBUTES, ""),
    (_WIKI_LINK, r"\g<words>"),
)
"""What becomes of marks in prose, in this order."""


def _reduce_link(match: re.Match[str]) -> str:
    """Keep a link that leads out of the site; reduce one within the site to its words."""
    url = match["url"].strip("<>")
    return f"[{match['words']}]({url})" if url.startswith(_EXTERNAL) else match["words"]


def _resolve_reference(match: re.Match[str], links: dict[str, str]) -> str:
    url = links.get((match["name"] or match["words"]).lower())
    return match[0] if url is None else f"[{match['words']}]({url})"


def _dedented_admonitions(source: str) -> str:
    """Turn `!!! note "Title"` and the indented lines below it into a label and paragraphs; those within it, too."""
    lines: list[str] = []
    inside: int | None = None
    fence = ""
    for line in source.split("\n"):
        if inside is not None and line.strip():
            if line.startswith(" " * (inside + 4)):  # the indentation that Python-Markdown asks for
                lines.append(line[:inside] + line[inside + 4 :])
                continue
            inside = None
        fence = _fence_after(fence, line)
        match = None if fence else _ADMONITION.match(line)
        if match and (match["kind"] or match["title"] is not None):
            inside = len(match["indent"])
            title_text = match["title"] if match["title"] is not None else (match["kind"] or "").split()[0].capitalize()
            lines += ["", f"{match['indent']}{_label(title_text)}", ""]
        else:
            lines.append(line)
    text = "\n".join(lines)
    return text if text == source else _dedented_admonitions(text)
