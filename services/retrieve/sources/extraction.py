"""Extracts the main text of a page, with its title and its date."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from libs.contracts.spans import Span
from libs.contracts.structure import Structure
from libs.documents.reading import structure_of
from libs.documents.structure import slice_structure

if TYPE_CHECKING:
    from libs.web.fetching import FetchedPage

ACCEPT: Final = "text/html,application/xhtml+xml,text/plain;q=0.8"
MARKUP: Final = frozenset({"text/html", "application/xhtml+xml"})
PLAIN: Final = frozenset({"text/plain", "text/markdown"})
LONGEST_TEXT: Final = 200_000
"""Characters; the rest of a page is ignored."""
LONGEST_TITLE: Final = 300
_STATED_CHARSET: Final = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_WITHIN: Final = 1024
"""Bytes in which a page must state its encoding (HTML standard)."""


class NoText(Exception):  # noqa: N818 - it names what is wrong
    """The page has no readable text; the message completes a sentence that begins with "the page"."""


@dataclass(frozen=True, slots=True)
class PageText:
    """The content of a page."""

    text: str
    title: str = ""
    date: str = ""
    """Publication date, as ISO 8601; empty if unknown."""
    structure: Structure = field(default_factory=Structure)
    """Structure of the text."""


def text_of(page: "FetchedPage") -> PageText:
    """The main text of a page. Blocking: tens of milliseconds for 50 KB, seconds for the largest.

    Raises:
        NoText: it is of another media type, or has no text.
    """
    if page.media_type in PLAIN:
        content = _plain_text(page)
    elif page.media_type in MARKUP:
        content = _main_text(page)
    else:
        raise NoText(f"is no text but {page.media_type[:60] or 'of an unknown kind'}")
    if not content.text.strip():
        raise NoText("says nothing")
    text, structure = content.text.replace("\0", " "), content.structure
    if len(text) > LONGEST_TEXT:
        text, structure = text[:LONGEST_TEXT], slice_structure(structure, Span(0, LONGEST_TEXT))
    return PageText(text, content.title[:LONGEST_TITLE], content.date, structure)


def load_parsers() -> None:
    """Load the page parsers, so that the first page need not wait for them: .6 seconds, 20 MB. Blocking."""
    from libs.web.fetching import FetchedPage

    text_of(FetchedPage("http://localhost/", b"<p>A first page.</p>", "text/html"))


def _main_text(page: "FetchedPage") -> PageText:
    from libs.web.pages import NoPage, read_page  # parsers that only pages need

    try:
        content = read_page(_decode(page), page.url, main=True)
    except NoPage:
        raise NoText("says nothing") from None
    except Exception as error:  # parsers may raise anything on a malformed page
        raise NoText("cannot be read") from error
    return PageText(content.text, content.title, content.date, content.structure)


def _plain_text(page: "FetchedPage") -> PageText:
    text = _decode(page)
    return PageText(text, structure=structure_of(text))


def _decode(page: "FetchedPage") -> str:
    """Decode by the encoding that the server states, else the page, else UTF-8; invalid bytes are replaced."""
    charset_match = _STATED_CHARSET.search(page.body[:_WITHIN])
    for charset in (page.charset, charset_match[1].decode("ascii", "replace") if charset_match else ""):
        try:
            return page.body.decode(charset, "replace") if charset else page.body.decode("utf-8")
        except (LookupError, UnicodeDecodeError):
            continue
    return page.body.decode("utf-8", "replace")
