"""What an ingest reads: files, by this process or by a cluster, then pages of the web."""

from collections.abc import Callable, Iterator

import grpc

from cli.connection.gateway_connection import CommandError
from cli.ingest.ingest_options import IngestJob
from cli.ingest.sources import IngestOptions, Item, ReadItem, read
from cli.ingest.suite import embedder_of
from ingest.sources.roots import Roots
from libs.runtime.settings import SettingsError


class DocumentReading:
    """Reads in the thread that sends. An error ends the documents there; `check` raises it where the command waits."""

    def __init__(self, channel: grpc.Channel, order: IngestJob) -> None:
        """Raise a CommandError if a cluster is wanted but cannot be used."""
        self._channel = channel
        self._order = order
        self._error: Exception | None = None
        if order.ray is not None:
            from cli.ingest.cluster.connection import check_installed

            check_installed()
            if order.vectors is not None:
                raise CommandError("--ray makes vectors and --vectors brings them: give one of them")

    def read(self, roots: Roots, options: IngestOptions, keep: Callable[[Item], None]) -> Iterator[ReadItem]:
        """Yield every document, and everything that gives none; pass to `keep` what is stored and need not be sent."""
        try:
            yield from self._files(roots, options, keep)
            if self._order.urls or self._order.sitemaps:
                from cli.ingest.pages import read_pages  # imports an HTTP client, which only web pages need

                yield from read_pages(self._order, options)
        except SettingsError as error:
            self._error = CommandError(str(error))
        except Exception as error:
            self._error = error

    def check(self) -> None:
        """Raise the error that ended reading, if one did."""
        if self._error is not None:
            raise self._error

    def _files(self, roots: Roots, options: IngestOptions, keep: Callable[[Item], None]) -> Iterator[ReadItem]:
        if self._order.ray is None:
            return read(self._order.paths, roots, options)
        from cli.ingest.cluster.source import read_by_cluster
        from cli.ingest.cluster.stored import to_be_sent

        embedder = embedder_of(self._channel)
        return to_be_sent(read_by_cluster(self._channel, self._order, embedder, roots, options), keep)
