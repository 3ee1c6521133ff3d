"""Read web pages as documents to be sent."""

from collections.abc import Iterator

from cli.ingest.ingest_options import IngestJob
from cli.ingest.settings import IngestSettings
from cli.ingest.sources import IngestOptions, ReadItem, items
from ingest.isolation import IsolatedReader
from ingest.sources.web import read_web


def read_pages(order: IngestJob, options: IngestOptions) -> Iterator[ReadItem]:
    """Yield every named or listed page, including those that give no document.

    Raises:
        SettingsError: a setting of the area `ingest` is wrong.
    """
    limits = IngestSettings.load().limits(order.allow_loopback)
    with IsolatedReader() as reader:
        for url, results in read_web(order.urls, order.sitemaps, limits, reader.read):
            yield from items(url, results, options)
