"""The SQLite files of the suite, filled, and damage to them."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from gateway.store.stores import sqlite_stores
from libs.contracts.evidence import Passage
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.sources.web_store import KeptPassages
from tests.fakes.stored_documents import put

FILES: Final = {"sessions.db": "gateway", "events.db": "gateway", "corpus.db": "retrieve", "web.db": "retrieve"}
"""Which stage has which file."""
ZEROS: Final = bytes(8192)


def write_files(folder: Path) -> None:
    """Write all files as the suite does, and fill each up to some 400 KB."""

    async def open_stores() -> None:
        async with sqlite_stores(folder / "sessions.db"):
            pass

    asyncio.run(open_stores())
    with Corpus.open(folder) as corpus:
        put(corpus, Document("viking", "Viking 1 landed on 20 July 1976."), "landings")
    KeptPassages(folder / "web.db", days=7).keep([Passage("web#0", "web", "Words.")])
    for name in FILES:
        with closing(sqlite3.connect(folder / name)) as connection, connection:
            connection.execute("CREATE TABLE filling (content TEXT)")
            connection.executemany("INSERT INTO filling VALUES (?)", [("x" * 1000,)] * 400)


def overwrite(file: Path, share: float, content: bytes = ZEROS) -> None:
    """Overwrite bytes that begin at a share of the file."""
    with file.open("r+b") as opened:
        opened.seek(int(file.stat().st_size * share))
        opened.write(content)
