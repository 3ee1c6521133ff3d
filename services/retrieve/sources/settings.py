"""What can be set about the web and about where a question is looked for.

Without the address or the key of a search engine the web takes no part.
"""

from pydantic import Field, SecretStr

from libs.runtime.settings import AreaSettings


class WebSettings(AreaSettings, area="retrieve_web"):
    """Which search engines are asked, how many pages are read, how long that may take."""

    searxng_url: str = Field(default="", pattern="^(https?://.*)?$")
    """Base URL of a SearXNG instance whose `search.formats` include json; empty: it is not asked."""
    brave_key: SecretStr = SecretStr("")
    """Subscription token of the Brave Search API; empty: it is not asked."""
    brave_url: str = Field(default="https://api.search.brave.com", pattern="^https?://")
    """Base URL of what speaks as Brave does."""
    tavily_key: SecretStr = SecretStr("")
    """Key of the Tavily API; empty: it is not asked."""
    tavily_url: str = Field(default="https://api.tavily.com", pattern="^https?://")
    """Base URL of what speaks as Tavily does."""
    always: bool = False
    """Search the web for every question, not only for those that ask for it or for news."""
    results: int = Field(default=10, ge=1, le=20)
    """Results asked of each engine; 20 is the most that Brave and Tavily give."""
    pages: int = Field(default=5, ge=1, le=20)
    """Pages read for a query, the best first."""
    passages: int = Field(default=32, ge=1, le=500)
    """Passages of all pages that are embedded and ranked, those with the query's words first; all-MiniLM-L6-v2 embeds
    57 a second on two cores."""
    search_seconds: float = Field(default=3.0, gt=0, le=60)
    """Greatest time of a search engine; a later one takes no part."""
    page_seconds: float = Field(default=3.0, gt=0, le=60)
    """Greatest time of a page with its robots.txt and redirects."""
    seconds: float = Field(default=5.0, gt=0, le=120)
    """Greatest time of the web in all, before its passages are embedded; half of what the gateway gives a sub-query."""
    page_bytes: int = Field(default=1024 * 1024, ge=1024, le=64 * 1024 * 1024)
    """Greatest page, unpacked; a larger one is left out. Of a core, 66 KB of paragraphs take .12 seconds, 1 MB
    of nothing but links took 7."""
    cache_pages: int = Field(default=64, ge=0, le=10_000)
    """Pages whose text is kept in memory, so that the sub-queries of a turn read each once."""
    cache_seconds: float = Field(default=300.0, ge=0)
    """For how long."""
    keep_passages: int = Field(default=20_000, ge=1, le=10_000_000)
    """Passages that were evidence and can still be opened by their id; some 20 MB."""
    keep_days: float = Field(default=30.0, gt=0)
    """For how long, since they were evidence last."""
    allow_loopback: bool = False
    """Read pages of this machine, too: for tests and for a site that runs beside the suite."""


class RangeSettings(AreaSettings, area="retrieve_range"):
    """Which sources and dates a question for news stands for, and one for the newest news."""

    news_sources: tuple[str, ...] = ()
    """Sources of the corpus that hold news, such as ["newswire"], and "web"; empty: everything, and the web where an
    engine is configured."""
    hot_sources: tuple[str, ...] = ()
    """Likewise for the newest news."""
    hot_days: float = Field(default=7.0, gt=0, le=3660)
    """How many days the newest news goes back."""
    general_sources: tuple[str, ...] = ()
    """Likewise for every other question; empty: everything but the web."""
