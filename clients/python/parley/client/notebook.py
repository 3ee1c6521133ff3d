"""Pieces of HTML for notebooks. All text is escaped, since it comes from the suite and its documents. Pure."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Final
from urllib.parse import urlsplit

_MARKER: Final = re.compile(r"(?<!\\)\[(\d{1,4})\]")  # length: taste
_ESCAPED: Final = re.compile(r"\\(?=\[\d{1,4}\])")
"""Before a number in brackets that is no marker."""
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n")
_MAX_TITLE: Final = 400
"""Characters of a passage that are shown where the pointer rests on its number (taste)."""


def paragraphs_html(text: str, passages: Mapping[int, str]) -> str:
    """The paragraphs of a text; its citation markers know the texts of the passages by number."""
    paragraphs = [escape(paragraph, quote=False) for paragraph in _BLANK_LINE.split(text) if paragraph.strip()]
    linked = (_MARKER.sub(lambda match: _number(int(match[1]), passages), paragraph) for paragraph in paragraphs)
    plain = (_ESCAPED.sub("", paragraph) for paragraph in linked)
    return "".join(f"<p>{paragraph.replace(chr(10), '<br>')}</p>" for paragraph in plain)


def _number(number: int, passages: Mapping[int, str]) -> str:
    if number not in passages:
        return f"[{number}]"
    return f'<sup><abbr title="{escape(passages[number][:_MAX_TITLE])}">[{number}]</abbr></sup>'


def source_html(name: str, url: str, date: str) -> str:
    """A document's name, linked if it is on the web, and its date."""
    is_web = urlsplit(url).scheme in ("http", "https")
    link = f'<a href="{escape(url)}" rel="noopener noreferrer">{escape(name)}</a>' if is_web else escape(name)
    return f"{link}{f', {escape(date)}' if date else ''}"


def list_html(title: str, items: Iterable[str]) -> str:
    """A titled list; empty without items."""
    entries = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f"<p><strong>{title}</strong></p><ul>{entries}</ul>" if entries else ""
