"""Stores web passages that served as evidence, so that citations can be opened later: `web.db` beside the corpus.

Limited in number and age. It is not part of the corpus: it is never searched, and may be deleted at any time. Blocks.
"""

import json
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.runtime.storage import check_whole
from services.retrieve.corpus.structures import blocks_from, blocks_text

_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS passages (passage_id TEXT PRIMARY KEY, content TEXT NOT NULL, seen REAL NOT NULL)",
    "CREATE INDEX IF NOT EXISTS passages_by_age ON passages(seen)",
)
CAPACITY: Final = 20_000  # passages that can still be opened by their id; some 20 MB (taste)
_DAY: Final = 86_400.0


class KeptPassages:
    """Stores and returns passages. Blocking and thread-safe. The file is created by the first passage."""

    def __init__(self, path: Path, days: float, capacity: int = CAPACITY) -> None:
        """Stores `capacity` passages, none unused for more than `days`. Raises UnusableFile: the file is damaged."""
        self._path = path
        self._capacity = capacity
        self._seconds = days * _DAY
        self._lock = threading.Lock()
        if path.exists():
            check_whole(path)

    def keep(self, passages: Sequence[Passage]) -> None:
        """Store these, and delete what is too old or exceeds the limit; raises sqlite3.Error if that fails."""
        now = time.time()
        rows = []
        for passage in passages:
            fields = asdict(replace(passage, images=(), blocks=()))
            content = json.dumps({**fields, "blocks": blocks_text(passage.blocks)})
            rows.append((passage.passage_id, content, now))
        with self._lock, closing(self._connect()) as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO passages VALUES (?, ?, ?)", rows)
            connection.execute("DELETE FROM passages WHERE seen < ?", (now - self._seconds,))
            connection.execute(
                "DELETE FROM passages WHERE rowid IN "
                "(SELECT rowid FROM passages ORDER BY seen DESC, rowid DESC LIMIT -1 OFFSET ?)",
                (self._capacity,),
            )

    def get(self, passage_id: str) -> Passage | None:
        """A passage as it was; None if it was never stored or has been deleted. Raises sqlite3.Error, as `keep`."""
        if not self._path.exists():
            return None
        with self._lock, closing(self._connect()) as connection, connection:
            row = connection.execute(
                "SELECT content FROM passages WHERE passage_id = ? AND seen >= ?",
                (passage_id, time.time() - self._seconds),
            ).fetchone()
        if row is None:
            return None
        fields = json.loads(row[0])
        structure = {"headings": tuple(fields.pop("headings", ())), "blocks": blocks_from(fields.pop("blocks", ""))}
        return Passage(**{**fields, "span": Span(**fields["span"]), "images": (), **structure})

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=5)  # seconds for a lock (taste)
        connection.execute("PRAGMA journal_mode=WAL").close()
        for statement in _TABLE:
            connection.execute(statement).close()
        return connection
