"""The stores of a gateway: in SQLite files of one machine, or in an Elasticsearch that several gateways share."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gateway.store import logged_turns
from gateway.store.elastic.tables import elasticsearch_storage
from gateway.store.event_log import EventLog
from gateway.store.kept_bytes import KeptBytes
from gateway.store.recordings import RECORDINGS, RecordingStore
from gateway.store.retries import KEEP_SECONDS, QUESTIONS, RETRIES, RetryStore
from gateway.store.session_store import SessionStore
from gateway.store.sessions import SESSIONS, TEXTS, TURNS
from gateway.store.sqlite.file import sqlite_storage
from gateway.store.tables import Storage
from libs.elastic.settings import ElasticsearchSettings

LASTING: Final = (SESSIONS, TURNS, TEXTS, RECORDINGS)
PASSING: Final = (logged_turns.TURNS, QUESTIONS, RETRIES)
"""What is kept for resuming and retries."""


@dataclass(frozen=True, slots=True)
class Stores:
    """All that a gateway stores."""

    sessions: SessionStore
    retries: RetryStore
    recordings: RecordingStore
    events: EventLog


@asynccontextmanager
async def sqlite_stores(file: Path) -> AsyncIterator[Stores]:
    """Open the stores, creating files and folder if they are missing; close them at the end.

    What is short-lived is in `events.db` beside the file: neither waits for the other's writes.

    Args:
        file: the path of `sessions.db`.

    Raises:
        UnusableFile: another version of the suite wrote a file, it is damaged, or it cannot be opened.
    """
    async with (
        sqlite_storage(file, LASTING) as lasting,
        sqlite_storage(file.with_name("events.db"), PASSING) as passing,
    ):
        yield stores_over(lasting, passing)


@asynccontextmanager
async def elasticsearch_stores(url: str, settings: ElasticsearchSettings) -> AsyncIterator[Stores]:
    """Open the stores and close them at the end; no request is sent yet, so the server may be down.

    Args:
        url: of the server, or of several nodes separated by commas.
        settings: how it is called.

    Raises:
        ValueError: the URL is invalid.
    """
    async with elasticsearch_storage(url, settings, (*LASTING, *PASSING)) as storage:
        yield stores_over(storage, storage)


def stores_over(lasting: Storage, passing: Storage, keep_seconds: float = KEEP_SECONDS) -> Stores:
    """Return the stores over the storages of the tables `LASTING` and `PASSING`; questions are kept so long."""
    kept = KeptBytes()
    return Stores(
        SessionStore(lasting),
        RetryStore(passing, keep_seconds, kept),
        RecordingStore(lasting),
        EventLog(passing, kept=kept),
    )
