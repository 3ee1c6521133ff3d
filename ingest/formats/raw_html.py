"""HTML within Markdown as what it means: tables, lists and listings as Markdown, entities as characters. Pure."""

import html
import re
from bisect import bisect
from typing import Final

_WRAPPERS: Final = (
    *("article", "aside", "blockquote", "center", "details", "div", "figure", "footer", "header", "main", "nav", "p"),
    *("section", "h1", "h2", "h3", "h4", "h5", "h6"),
)
"""Elements that may hold Markdown, in paragraphs of their own."""
_BLOCK: Final = re.compile(
    rf"^[ ]{{0,3}}<(?P<tag>table|pre|dl|ul|ol|{'|'.join(_WRAPPERS)})\b", re.MULTILINE | re.IGNORECASE
)
_OF_MARKDOWN: Final = re.compile(r"\n[ \t]*\n(?=[ ]{0,3}[^\s<])")
"""Stands above a paragraph that begins with no tag."""
_CODE: Final = re.compile(r"<(?P<tag>code|tt|samp)\b[^<>]*>(?P<words>[^<>`\n]+)</(?P=tag)>", re.IGNORECASE)
_PICTURE: Final = re.compile(r"<img\b(?P<attributes>[^<>]{0,2000})>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"\b(?P<name>alt|src)=(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"&lt;(?P<words>/?[A-Za-z][^&<>`\n]{0,200})&gt;")
"""What would be a tag, were it not written as text."""
_ENTITY: Final = re.compile(r"&#?\w{1,30};")


def with_blocks(text: str) -> str:
    """The text with the blocks of HTML as Markdown; those that are not closed, or hold Markdown, stay as they are."""
    pieces: list[str] = []
    ends: dict[str, dict[int, int]] = {}
    markdown = [match.start() for match in _OF_MARKDOWN.finditer(text)]
    at = 0
    while match := _BLOCK.search(text, at):
        tag, start = match["tag"].lower(), match.start("tag") - 1
        if tag not in ends:
            ends[tag] = _ends(text, tag)
        end = ends[tag].get(start, 0)
        if tag in _WRAPPERS and bisect(markdown, start) < bisect(markdown, end):
            end = 0
        pieces.append(text[at:start])
        pieces.append(f"\n\n{_markdown(text[start:end])}\n\n" if end else text[start : match.end()])
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


def _ends(text: str, tag: str) -> dict[int, int]:
    """Where each element of a tag ends that is closed, by where it begins."""
    starts: list[int] = []
    ends: dict[int, int] = {}
    for match in re.compile(rf"<(?P<closing>/?){tag}\b[^<>]*>", re.IGNORECASE).finditer(text):
        if not match["closing"]:
            starts.append(match.start())
        elif starts:
            ends[starts.pop()] = match.end()
    return ends


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
