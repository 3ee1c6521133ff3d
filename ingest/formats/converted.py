"""Texts with markup as HTML, which is then read like any page: what they state and what is no text of theirs, too."""

from collections.abc import Callable
from html import escape, unescape
from typing import Final

from ingest.content import Content, parsing
from ingest.detection.charsets import Decoded, decoded
from ingest.documents import ParsedDocument
from ingest.formats.hypertext import page_document
from libs.documents.remains import Said
from libs.web.iso_dates import iso_stamp
from libs.web.unread import LeftOut

_UNREAD: Final[dict[LeftOut, str]] = {
    "HIDDEN": "<span hidden>{}</span>",
    "FURNITURE": "<button>{}</button>",
    "OBJECT": "<object>{}</object>",
    "PICTURE": '<img src="#{0}" alt="{0}">',
}
"""Elements that the reader of pages names among what is left out."""


def converted(content: Content, format_name: str, convert: Callable[[str], str]) -> ParsedDocument:
    """The document of a text that a function converts to HTML.

    Raises:
        BrokenContent: it is not text of the format.
    """
    source = decoded(content.read(), content.charset)
    with parsing(format_name):
        markup = convert(source.text)
    lost = dict.fromkeys(Said((unescape(markup),)).phrases(source.text))
    head, end, tail = markup.rpartition("</body>")
    head += "".join(unread("HIDDEN", words) for words in lost if not iso_stamp(words))
    return page_document(content, Decoded(head + end + tail, source.omissions))


def unread(reason: LeftOut, words: str) -> str:
    """The HTML of words that are left out."""
    return _UNREAD[reason].format(escape(words)) if words.strip() else ""


def page(body: str, title: str = "", date: str = "", author: str = "") -> str:
    """The HTML of a whole text, with what it states about itself; a date that is none is left out."""
    stated = {"date": iso_stamp(date), "author": author}
    metas = "".join(f'<meta name="{name}" content="{escape(words)}">' for name, words in stated.items() if words)
    left_out = "" if stated["date"] else unread("OBJECT", date)
    return f"<html><head><title>{escape(title)}</title>{metas}</head><body>{body}{left_out}</body></html>"
