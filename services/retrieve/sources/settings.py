"""Settings of the web search and of the detection of search ranges.

Without the address or the key of a search engine the web is not searched.
"""

from pydantic import Field, SecretStr

from libs.runtime.settings import AreaSettings, HeaderKey


class WebSettings(AreaSettings, area="retrieve_web"):
    """Which search engines are used, how many pages are read, and the timeouts."""

    searxng_url: str = Field(default="", pattern="^(https?://.*)?$")
    """Base URL of a SearXNG instance whose `search.formats` include json; empty: not used."""
    brave_key: HeaderKey = SecretStr("")
    """Subscription token of the Brave Search API; empty: not used."""
    tavily_key: HeaderKey = SecretStr("")
    """Key of the Tavily API; empty: not used."""
    always: bool = False
    """Search the web for every question, not only for those that ask for it or for news."""
    pages: int = Field(default=5, ge=1, le=20)
    """Pages read for a query, the best first."""
    seconds: float = Field(default=5.0, gt=0, le=120)
    """Timeout of the web search before its passages are embedded; half of the gateway's timeout for a sub-query."""
    keep_days: float = Field(default=30.0, gt=0)
    """Days that a passage of the web can be opened by its id after it last served as evidence."""
    allow_loopback: bool = False
    """Also read pages of this machine: for tests, and for a site that runs on the same host."""


class RangeSettings(AreaSettings, area="retrieve_range"):
    """The sources and dates for questions about news, and about the latest news."""

    news_sources: tuple[str, ...] = ()
    """Sources of the corpus that hold news, such as ["newswire"], and "web".

    Empty: everything, and the web if an engine is configured.
    """
    hot_sources: tuple[str, ...] = ()
    """The same for the latest news."""
    hot_days: float = Field(default=7.0, gt=0, le=3660)
    """Number of days that count as the latest news."""
    general_sources: tuple[str, ...] = ()
    """The same for every other question; empty: everything but the web."""
