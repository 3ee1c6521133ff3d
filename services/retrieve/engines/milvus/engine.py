"""Vector search by a Milvus server, as an engine that follows the corpus.

The server finds passages; permissions and filters are part of the query. Scores of given passages and their vectors
come from the corpus, of which the server holds copies: they are exact, and available when the server is not. Every call
may block on the network or the corpus, and raises Unavailable.

The server is first called when there are changes to apply. After each failure its position is read again: a server that
returns with less than it had, or with nothing, gets what it lacks. A periodic check detects a loss of data without a
failure. Numbers that name no source are chosen by hand.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final

import numpy as np
import structlog
from numpy.typing import NDArray

from libs.runtime.errors import Unavailable
from services.retrieve.corpus.feed import VectorBatch
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.collection_view import CollectionView
from services.retrieve.engines.milvus import schema as stored
from services.retrieve.engines.milvus.server import WRITE_SECONDS, MilvusRefused, MilvusServer
from services.retrieve.engines.protocols import UNREADABLE, WINDOWS_EACH, EngineDefaults, Hits, unreadable
from services.retrieve.indexing.passage import best_windows, passages_of, unit_means

Floats = NDArray[np.float32]

BATCH: Final = 1000
"""Rows per write; with 1,024 values each these are 4 MB, a server accepts up to 64."""
CHECK_SECONDS: Final = 10.0  # seconds between checks that the server still has its data

_log = structlog.get_logger("parley.retrieve")


class MilvusVectors(EngineDefaults):
    """One collection's vectors in Milvus. Searches run concurrently with each other and with one writer."""

    def __init__(self, server: MilvusServer, view: CollectionView, width: int) -> None:
        """Nothing is called on the server, whose owner closes it, yet."""
        self._server = server
        self._view = view
        self._width = width
        self._name = stored.collection_name(server.settings.prefix, view.corpus.identity, view.row)
        self._known: int | None = None
        self._checked = time.monotonic()
        self._opening = threading.Lock()

    @property
    def sequence(self) -> int:
        """The last change that is searchable; 0 while unknown."""
        return self._known or 0

    @property
    def followed(self) -> int:
        """As `sequence`, but read from the server if unknown."""
        with self._opening:
            if self._known is None:
                self._known = self._open_collection()
            return self._known

    def follow(self, batch: VectorBatch) -> None:
        """Apply a batch of changes; they are searchable at once.

        The new rows of a document are written before the old ones are deleted, so that it can be found throughout. The
        position is written last, so an interrupted batch is applied again.
        """
        with self._reopen_on_failure():
            for documents, positions in portions(batch, BATCH):
                self._replace(batch, documents, positions)
            self._write([stored.state_row(batch.through, self._width)])
            self._known = batch.through

    def search(self, vector: Floats, limit: int, access: Access) -> Hits:
        """See SearchEngine."""
        position = self._known
        try:
            return self._search(vector, limit, access)
        except MilvusRefused:  # it was restarted and has not loaded the collection
            if position is None or self.followed < position:
                raise
        return self._search(vector, limit, access)

    def scores(self, vector: Floats, keys: NDArray[np.int64], access: Access) -> NDArray[np.float64]:
        """See SearchEngine."""
        owners, rows = self._view.windows(keys)
        best = np.full(len(keys), -np.inf)
        np.maximum.at(best, owners, rows @ vector)
        return np.where(np.isfinite(best), best, np.nan)

    def vectors(self, keys: NDArray[np.int64]) -> Floats:
        """See VectorEngine."""
        owners, rows = self._view.windows(keys)
        return unit_means(rows, owners, len(keys))

    def reread(self) -> None:
        """Read the position anew: another process may have applied changes."""
        self._known = None

    def check(self) -> None:
        """See EngineDefaults."""
        position, now = self._known, time.monotonic()
        if position is None or now - self._checked < CHECK_SECONDS:
            return
        self._checked = now
        with self._reopen_on_failure():
            if self._position() < position:
                self._known = None

    def destroy(self) -> None:
        """Delete the collection on the server; if that fails, the next sweep does it."""
        try:
            self._server.call("drop_collection", self._name, seconds=WRITE_SECONDS)
        except Unavailable:
            _log.warning("a collection in Milvus is left to the next sweep", collection=self._name)

    def _search(self, vector: Floats, limit: int, access: Access) -> Hits:
        windows = min(WINDOWS_EACH * limit, stored.MAX_HITS)
        with self._reopen_on_failure():
            answers = self._server.call(
                "search",
                self._name,
                [vector],
                filter=stored.admitted(access.admission(any_restricted=True)),
                limit=windows,
                output_fields=["key"],
                anns_field="vector",
                search_params=stored.search_parameters(self._server.settings.index, windows),
            )
            hits = answers[0]
        keys, scores = np.array(hits.ids, np.int64), np.array(hits.distances, np.float64)
        order = np.lexsort((keys, -scores))
        keys, scores = keys[order], scores[order]
        first = best_windows(keys)[:limit]
        return Hits(passages_of(keys[first]), scores[first])

    def _replace(self, batch: VectorBatch, documents: NDArray[np.int64], positions: NDArray[np.int64]) -> None:
        rows = stored.passage_rows(batch, positions, self._view.marks(documents))
        while portion := list(islice(rows, BATCH)):
            self._write(portion)
        obsolete = stored.outdated(documents.tolist(), batch.keys[positions].tolist())
        self._server.call("delete", self._name, filter=obsolete, seconds=WRITE_SECONDS)

    def _write(self, rows: list[stored.Row]) -> None:
        self._server.call("upsert", self._name, rows, seconds=WRITE_SECONDS)

    def _open_collection(self) -> int:
        """Create what is missing, load it, and read the position. Each step may have been done before."""
        seconds = WRITE_SECONDS
        if not self._fits():
            self._server.call(
                "create_collection",
                self._name,
                schema=stored.schema(self._width),
                consistency_level="Strong",  # an acknowledged write is found by the next search
                seconds=seconds,
            )
        arrays = "lite" not in str(self._server.call("get_server_version"))
        present = self._server.call("list_indexes", self._name)
        missing = stored.missing_indexes(self._server.settings.index, present, arrays=arrays)
        if missing is not None:
            # Waiting for it would poll every half second; loading waits for what it needs.
            self._server.call("create_index", self._name, missing, seconds=seconds, sync=False)
        self._server.call("load_collection", self._name, seconds=seconds)
        return self._position()

    def _position(self) -> int:
        rows = self._server.call("query", self._name, ids=[stored.STATE_KEY], output_fields=["labels"])
        return stored.sequence_of(rows)

    @contextmanager
    def _reopen_on_failure(self) -> Iterator[None]:
        """Forget the position if the block fails, so that it is read from the server again."""
        try:
            yield
        except Unavailable:
            self._known = None
            raise
        except UNREADABLE as error:
            self._known = None
            raise unreadable("Milvus", error) from error

    def _fits(self) -> bool:
        """Whether the collection exists; one with vectors of another width is dropped."""
        if not self._server.call("has_collection", self._name):
            return False
        fields = self._server.call("describe_collection", self._name)["fields"]
        widths = {field["params"].get("dim") for field in fields if field["name"] == "vector"}
        if widths == {self._width}:
            return True
        self._server.call("drop_collection", self._name, seconds=WRITE_SECONDS)
        return False


def portions(batch: VectorBatch, most: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The batch's documents in portions of about `most` rows, each with the positions of its rows in the batch."""
    by_owner = np.argsort(batch.owners, kind="stable")
    owners, documents = batch.owners[by_owner], np.sort(batch.documents)
    firsts = np.searchsorted(owners, documents, "left")
    lasts = np.searchsorted(owners, documents, "right")
    portions = np.cumsum(1 + lasts - firsts) // most
    for portion in np.unique(portions):
        (members,) = np.nonzero(portions == portion)
        yield documents[members], by_owner[firsts[members[0]] : lasts[members[-1]]]
