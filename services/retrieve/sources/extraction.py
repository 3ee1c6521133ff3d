"""The text of a page without what stands around it, with its title and its date, by trafilatura (Apache-2.0)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from services.web.fetching import Fetched

ACCEPT: Final = "text/html,application/xhtml+xml,text/plain;q=0.8"
MARKUP: Final = frozenset({"text/html", "application/xhtml+xml"})
PLAIN: Final = frozenset({"text/plain", "text/markdown"})
LONGEST_TEXT: Final = 200_000
"""Characters; a book's chapter has 30,000."""
LONGEST_TITLE: Final = 300


class NoText(Exception):  # noqa: N818 - it names what is wrong
    """The page has no text to be read; the message says why, beginning where "the page" would end."""


@dataclass(frozen=True, slots=True)
class PageText:
    """What a page says."""

    text: str
    title: str = ""
    date: str = ""
    """When it was published, as ISO 8601 to the day; empty when it does not say."""


def text_of(page: "Fetched") -> PageText:
    """The main text of a page. Blocking: some ten milliseconds for 100 KB, seconds for the largest.

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


def _main_text(page: "Fetched") -> PageText:
    from trafilatura import bare_extraction  # 15 MB that only a page needs

    try:
        found = bare_extraction(
            page.body,
            url=page.url,
            with_metadata=True,
            include_comments=False,
            date_extraction_params={"extensive_search": False, "original_date": True},
        )
    except Exception as error:  # whatever a page makes of a parser
        raise NoText("cannot be read") from error
    if found is None:
        raise NoText("says nothing")
    told = found if isinstance(found, dict) else found.as_dict()
    return PageText(told.get("text") or "", told.get("title") or "", told.get("date") or "")


def _decoded(page: "Fetched") -> str:
    try:
        return page.body.decode(page.charset or "utf-8", "replace")
    except LookupError:
        return page.body.decode("utf-8", "replace")
