"""HTML within Markdown as what it means: tables, lists and listings as Markdown, entities as characters. Pure."""

import html
import re
from typing import Final

_BLOCK: Final = re.compile(r"^[ ]{0,3}<(?P<tag>table|pre|dl|ul|ol)\b", re.MULTILINE | re.IGNORECASE)
_CODE: Final = re.compile(r"<(?P<tag>code|tt|samp)\b[^<>]*>(?P<words>[^<>`\n]+)</(?P=tag)>", re.IGNORECASE)
_PICTURE: Final = re.compile(r"<img\b(?P<attributes>[^<>]{0,2000})>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"\b(?P<name>alt|src)=(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"&lt;(?P<words>/?[A-Za-z][^&<>`\n]{0,200})&gt;")
"""What would be a tag, were it not written as text."""
_ENTITY: Final = re.compile(r"&#?\w{1,30};")


def with_blocks(text: str) -> str:
    """The text with the blocks of HTML as Markdown; one that is not closed, and its like after it, stay as they are."""
    pieces: list[str] = []
    unclosed = set[str]()
    at = 0
    while match := _BLOCK.search(text, at):
        tag = match["tag"].lower()
        end = 0 if tag in unclosed else _end_of(text, match.start(), tag)
        unclosed |= set() if end else {tag}
        pieces.append(text[at : match.start()])
        pieces.append(f"\n\n{_markdown(text[match.start() : end])}\n\n" if end else text[match.start() : match.end()])
        at = end or match.end()
    return "".join((*pieces, text[at:]))


def with_inline(text: str) -> str:
    """The text with code and pictures within lines as Markdown."""
    text = _CODE.sub(lambda code: f"`{html.unescape(code['words'])}`", text)
    return _PICTURE.sub(_picture, text)


def with_characters(text: str) -> str:
    """The text with entities as their characters; words in angle brackets become code, so that they are no tags."""
    text = _BRACKETED.sub(r"`<\g<words>>`", text)
    return _ENTITY.sub(_character, text)


def _end_of(text: str, start: int, tag: str) -> int:
    """Where the element ends that begins at `start`; 0 if it does not."""
    depth = 0
    for match in re.compile(rf"<(?P<closing>/?){tag}\b[^<>]*>", re.IGNORECASE).finditer(text, start):
        depth += -1 if match["closing"] else 1
        if depth == 0:
            return match.end()
    return 0


def _markdown(block: str) -> str:
    from libs.web.pages import NoPage, read_page  # imports lxml, which most notes don't need

    try:
        return read_page(f"<html><body>{block}</body></html>").text
    except NoPage:
        return ""


def _picture(match: re.Match[str]) -> str:
    found = {a["name"].lower(): a["double"] or a["single"] or "" for a in _ATTRIBUTE.finditer(match["attributes"])}
    return f"![{found['alt']}]({found.get('src', '')})" if found.get("alt") else ""


def _character(entity: re.Match[str]) -> str:
    character = html.unescape(entity[0]).replace("\xa0", " ")
    begins_tag = character == "<" and entity.string[entity.end() : entity.end() + 1].strip() != ""
    return f"\\{character}" if begins_tag or character == "|" else character
