"""The one address of a page that is reached by several: without what tracks readers, and as the page itself says."""

import re
from typing import Final
from urllib.parse import urljoin, urlsplit

from lxml import html
from lxml.etree import LxmlError

HEAD: Final = 256 * 1024
"""Bytes in which a page's head ends (taste)."""
_TRACKING: Final = re.compile(
    r"(?:(?:utm|mtm|pk)_\w*|[a-z]{0,2}clid|msclkid|[gw]braid|mc_[ce]id|mkt_tok|_hs(?:enc|mi)|igshid|_g[al])(?:=|\Z)",
    re.IGNORECASE,
)
"""Parameters of analytics and advertising: they say where a reader came from, never which page it is."""


def untracked(url: str) -> str:
    """The URL without tracking parameters and fragment."""
    parts = urlsplit(url)
    query = "&".join(parameter for parameter in parts.query.split("&") if not _TRACKING.match(parameter))
    return parts._replace(query=query, fragment="").geturl()


def canonical_url(url: str, body: bytes) -> str:
    """The address that a page's head calls canonical, if it may speak for it; else the page's own, untracked.

    A page speaks for its own host only, and never makes another page the host's front page, a common mistake.

    Args:
        url: where the page was found, after redirects.
        body: the page, if it is HTML.
    """
    own = untracked(url)
    try:
        stated = {untracked(urljoin(url, place)) for place in _stated(body) if place}
    except ValueError:  # no URL
        return own
    if len(stated) != 1:
        return own
    (address,) = stated
    same_host = _host(address) == _host(own)
    return own if not same_host or (_is_front(address) and not _is_front(own)) else address


def _stated(body: bytes) -> list[str]:
    try:
        root = html.document_fromstring(body[:HEAD])
    except (LxmlError, ValueError, AssertionError):
        return []
    links = root.iterfind("head/link")
    return [(link.get("href") or "").strip() for link in links if (link.get("rel") or "").lower() == "canonical"]


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


def _is_front(url: str) -> bool:
    return urlsplit(url).path in ("", "/")
