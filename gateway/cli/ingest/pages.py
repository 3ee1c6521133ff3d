"""Pages of the web as they are sent."""

from collections.abc import Iterator

from gateway.cli.ingest.order import Order
from gateway.cli.ingest.settings import IngestSettings
from gateway.cli.ingest.sources import Manner, Offered, items
from gateway.ingest.isolation import IsolatedReader
from gateway.ingest.web import read_web


def read_pages(order: Order, manner: Manner) -> Iterator[Offered]:
    """Every page that is named or listed, and every one that gives none.

    Raises:
        SettingsError: a setting of the area `ingest` is wrong.
    """
    limits = IngestSettings.load().limits(order.allow_loopback)
    with IsolatedReader() as reader:
        for url, found in read_web(order.urls, order.sitemaps, limits, reader.read):
            yield from items(url, found, manner)
