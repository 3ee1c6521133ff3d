"""What a page says, without what stands around it, with its title and its date."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from services.web.fetching import Fetched

ACCEPT: Final = "text/html,application/xhtml+xml,text/plain;q=0.8"
MARKUP: Final = frozenset({"text/html", "application/xhtml+xml"})
PLAIN: Final = frozenset({"text/plain", "text/markdown"})
LONGEST_TEXT: Final = 200_000
"""Characters; the rest of a page is not read."""
LONGEST_TITLE: Final = 300
_STATED_CHARSET: Final = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_WITHIN: Final = 1024
"""Bytes in which a page must state its encoding (HTML standard)."""


class NoText(Exception):  # noqa: N818 - it names what is wrong
    """The page has no text to be read; the message says why, beginning where "the page" would end."""


@dataclass(frozen=True, slots=True)
class PageText:
    """What a page says."""

    text: str
    title: str = ""
    date: str = ""
    """When it was published, as ISO 8601; empty when it does not say."""


def text_of(page: "Fetched") -> PageText:
    """The main text of a page. Blocking: tens of milliseconds for 50 KB, seconds for the largest.

    Raises:
        NoText: it is of another kind, or says nothing.
    """
    if page.media_type in PLAIN:
        found = PageText(_decoded(page))
    elif page.media_type in MARKUP:
        found = _main_text(page)
    else:
        raise NoText(f"is no text but {page.media_type[:60] or 'of an unknown kind'}")
    if not found.text.strip():
        raise NoText("says nothing")
    return PageText(found.text[:LONGEST_TEXT].replace("\0", " "), found.title[:LONGEST_TITLE], found.date)


def load_parsers() -> None:
    """Load what reads pages, so that the first one need not wait for it: .6 seconds, 20 MB. Blocking."""
    from services.web.fetching import Fetched

    text_of(Fetched("http://localhost/", b"<p>A first page.</p>", "text/html"))


def _main_text(page: "Fetched") -> PageText:
    from services.web.pages import NoPage, read_page  # parsers that only a page needs

    try:
        found = read_page(_decoded(page), page.url, main=True)
    except NoPage:
        raise NoText("says nothing") from None
    except Exception as error:  # whatever a page makes of a parser
        raise NoText("cannot be read") from error
    return PageText(found.text, found.title, found.date)


def _decoded(page: "Fetched") -> str:
    """By the encoding that the host states, else the page, else UTF-8; what does not fit is replaced."""
    stated = _STATED_CHARSET.search(page.body[:_WITHIN])
    for charset in (page.charset, stated[1].decode("ascii", "replace") if stated else ""):
        try:
            return page.body.decode(charset, "replace") if charset else page.body.decode("utf-8")
        except (LookupError, UnicodeDecodeError):
            continue
    return page.body.decode("utf-8", "replace")
