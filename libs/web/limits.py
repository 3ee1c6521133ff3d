"""Limits of fetching: time, size, redirects, pauses. Numbers that name no source are chosen by hand."""

from dataclasses import dataclass
from typing import Final

from libs.runtime.serving.server_info import own_version

PRODUCT: Final = "parley"
"""The product token that robots.txt rules can name."""


def user_agent() -> str:
    """The User-Agent header: "parley/0.1.0 (+https://github.com/parley-qa/parley)"."""
    return f"{PRODUCT}/{own_version()} (+https://github.com/parley-qa/parley)"


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Limits of one `Fetcher`."""

    seconds: float = 10.0
    """Timeout for a page including redirects; waiting for a turn at a host does not count."""
    max_bytes: int = 8 * 1024 * 1024
    """Largest size of a page, decompressed; the server's maximum message size, since a page becomes one message."""
    redirects: int = 5
    """RFC 9309 asks for at least five for robots.txt."""
    robots: bool = True
    """Whether robots.txt is respected."""
    pause_seconds: float = 0.0
    """Pause between two requests to a host; Crawl-delay can extend it up to `longest_pause_seconds`."""
    longest_pause_seconds: float = 10.0  # a longer Crawl-delay is cut to it (taste)
    allow_loopback: bool = False
    """Whether this machine's own addresses may be requested, too."""
