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
    brave_url: str = Field(default="https://api.search.brave.com", pattern="^https?://")
    """Base URL of Brave or of a compatible service."""
    tavily_key: HeaderKey = SecretStr("")
    """Key of the Tavily API; empty: not used."""
    tavily_url: str = Field(default="https://api.tavily.com", pattern="^https?://")
    """Base URL of Tavily or of a compatible service."""
    always: bool = False
    """Search the web for every question, not only for those that ask for it or for news."""
    results: int = Field(default=10, ge=1, le=20)
    """Results requested from each engine; 20 is the limit of Brave and Tavily."""
    pages: int = Field(default=5, ge=1, le=20)
    """Pages read for a query, the best first."""
    passages: int = Field(default=32, ge=1, le=500)
    """Passages of all pages that are embedded and ranked, those with the query's words first.

    all-MiniLM-L6-v2 embeds 57 a second on two cores.
    """
    search_seconds: float = Field(default=3.0, gt=0, le=60)
    """Timeout of a search engine; a slower one is left out."""
    page_seconds: float = Field(default=3.0, gt=0, le=60)
    """Timeout of a page with its robots.txt and redirects."""
    seconds: float = Field(default=5.0, gt=0, le=120)
    """Timeout of the web search before its passages are embedded; half of the gateway's timeout for a sub-query."""
    page_bytes: int = Field(default=1024 * 1024, ge=1024, le=64 * 1024 * 1024)
    """Greatest size of a page, uncompressed; a larger one is left out.

    On one core, 66 KB of paragraphs take .12 seconds, 1 MB of nothing but links took 7.
    """
    cache_pages: int = Field(default=64, ge=0, le=10_000)
    """Pages whose text is cached in memory, so that the sub-queries of a turn read each page once."""
    cache_seconds: float = Field(default=300.0, ge=0)
    """Seconds that a page is cached."""
    keep_passages: int = Field(default=20_000, ge=1, le=10_000_000)
    """Passages that served as evidence and can still be opened by their id; some 20 MB."""
    keep_days: float = Field(default=30.0, gt=0)
    """Days that such a passage is stored after it last served as evidence."""
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
