"""A site of the web with good pages and every kind of bad one, and a retriever that finds them."""

import gzip
from dataclasses import dataclass

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import Filters, WeightedQuery
from libs.contracts.stages.retrieve import RetrieveResult
from libs.contracts.usage import Degraded
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import Retriever
from services.retrieve.sources.web_store import KeptPassages
from tests.fakes.search_host import SearchHost
from tests.fakes.web_host import WebHost, WebPage

ON_THE_WEB = RetrieveOptions(web=True)
WEB_ALONE = RetrieveOptions(filters=Filters(sources=("web",)))
QUESTION = "Where did the lander Harrow touch down?"


def article(title: str, *paragraphs: str, date: str = "") -> bytes:
    """A page with a menu around its words."""
    meta = f'<meta property="article:published_time" content="{date}">' if date else ""
    words = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    head = f"<head><title>{title}</title>{meta}</head>"
    return f"<html>{head}<body><nav>Home Menu Shop</nav><article>{words}</article></body></html>".encode()


HARROW = article(
    "Harrow lands",
    "The lander Harrow touched down in the crater Malapert on Thursday evening, after a flight of eight days.",
    "Its four legs took up the shock, and the first pictures came down to the station at Cebreros within the hour.",
    "The crater Malapert lies near the south pole of the Moon, where the Sun stands low above the horizon all year.",
    date="2026-11-19T20:00:00Z",
)
OTHER = article(
    "Rover news",
    "A rover of another agency drove for two kilometres along the rim of the crater and rested for the lunar night.",
    "Its wheels had been worn by the sharp stones, the engineers said, but they will last for another two years.",
)
SLOW = WebPage(HARROW, wait_seconds=4.0)
BOMB = WebPage(
    gzip.compress(b"<p>" + b"a" * 40_000_000), headers={"Content-Type": "text/html", "Content-Encoding": "gzip"}
)
PAGES: dict[str, WebPage | bytes] = {
    "/robots.txt": b"User-agent: *\nDisallow: /private/",
    "/harrow": HARROW,
    "/other": OTHER,
    "/slow": SLOW,
    "/bomb": BOMB,
    "/huge": b"<p>" + b"a" * 3_000_000,
    "/private/page": HARROW,
    "/failing": WebPage(b"", 500),
    "/picture": WebPage(b"\x89PNG", headers={"Content-Type": "image/png"}),
    "/empty": b"<html><body></body></html>",
    "/broken": WebPage(b"<p>\xff\xfe\x00<<<<!-- <p", headers={"Content-Type": "text/html"}),
    "/metadata": WebPage(b"", 302, {"Location": "http://169.254.169.254/latest/meta-data/"}),
    "/inside": WebPage(b"", 302, {"Location": "http://10.0.0.1/"}),
    "/moved": WebPage(b"", 301, {"Location": "/harrow"}),
}


@dataclass
class Web:
    """A retriever over a corpus and the web, and where its citations are kept."""

    retriever: Retriever
    corpus: Corpus
    kept: KeptPassages
    engine: SearchHost
    host: WebHost

    def names(self, *paths: str) -> None:
        """Let the search engine find these pages."""
        self.engine.rows = [{"url": self.host.url(path), "title": path} for path in paths]

    async def ask(
        self, query: str | WeightedQuery = QUESTION, options: RetrieveOptions = ON_THE_WEB
    ) -> tuple[RetrieveResult, list[Degraded]]:
        weighted_query = query if isinstance(query, WeightedQuery) else WeightedQuery(query)
        result, degraded = await search(self.retriever, weighted_query, options)
        return result, list(degraded)
