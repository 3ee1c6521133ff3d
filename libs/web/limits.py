"""How far a fetch may go."""

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final

PRODUCT: Final = "parley"
"""The name under which robots.txt may speak of us."""


def user_agent() -> str:
    """Such as "parley/0.1.0 (+https://github.com/parley-qa/parley)"."""
    try:
        number = version(PRODUCT)
    except PackageNotFoundError:
        number = "0"
    return f"{PRODUCT}/{number} (+https://github.com/parley-qa/parley)"


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Bounds of one `Fetcher`."""

    seconds: float = 10.0
    """For a page with its redirects; waiting for one's turn at a host does not count."""
    max_bytes: int = 8 * 1024 * 1024
    """Of a page, unpacked; a server's greatest message, for a page becomes one."""
    redirects: int = 5
    """As many as RFC 9309 asks of robots.txt."""
    robots: bool = True
    """Whether robots.txt is respected."""
    pause_seconds: float = 0.0
    """Between two requests to a host; a host's Crawl-delay makes it longer, up to `longest_pause_seconds`."""
    longest_pause_seconds: float = 10.0
    allow_loopback: bool = False
    """Whether this machine's own addresses may be asked, too."""
