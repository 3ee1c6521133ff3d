"""Pages of the web as they are sent."""

from collections.abc import Iterator

from cli.ingest.order import IngestJob
from cli.ingest.settings import IngestSettings
from cli.ingest.sources import IngestOptions, Offered, items
from ingest.isolation import IsolatedReader
from ingest.web import read_web


def read_pages(order: IngestJob, options: IngestOptions) -> Iterator[Offered]:
    """Every page that is named or listed, and every one that gives none.

    Raises:
        SettingsError: a setting of the area `ingest` is wrong.
    """
    limits = IngestSettings.load().limits(order.allow_loopback)
    with IsolatedReader() as reader:
        for url, found in read_web(order.urls, order.sitemaps, limits, reader.read):
            yield from items(url, found, options)
