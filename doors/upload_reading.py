"""Reads an uploaded file in a process of its own, one document after another; threads wait for the disk and for it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.content import Content
from ingest.documents import ReadResult
from ingest.isolation import IsolatedReader
from libs.runtime.errors import Overloaded
from libs.runtime.limits.places import Places


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was uploaded."""

    name: str
    """Also the id of its document; a document of the same id is replaced."""
    path: Path
    """Where it is, in a folder with nothing else in it."""
    collection: str = ""
    principals: tuple[str, ...] = ()
    """Who may see it; empty means everybody."""
    caller: str = ""
    """Whose it is, for shares."""

    async def write(self, parts: AsyncIterator[bytes]) -> None:
        """Store its content; errors are those of the iterator, and OSError; threads write."""
        with self.path.open("wb") as file:
            async for part in parts:
                await asyncio.to_thread(file.write, part)


class UploadReader:
    """Reads uploads, a few at once; those of a caller that has its share of the readers wait for one another.

    Args:
        readers: how many at once.
    """

    def __init__(self, readers: int) -> None:
        self._places = Places(readers)
        self._freed = asyncio.Condition()

    async def read(self, upload: Upload) -> AsyncGenerator[ReadResult, None]:
        """Yield the documents of a file, and what of it cannot be read. Closing it kills the reader's process."""
        content = Content(upload.name, upload.name, upload.name, file=upload.path)
        async with self._place(upload.caller):
            with closing(IsolatedReader()) as reader:
                results = reader.read(content)
                while (result := await _uninterrupted(asyncio.to_thread(next, results, None), reader)) is not None:
                    yield result

    @asynccontextmanager
    async def _place(self, caller: str) -> AsyncIterator[None]:
        """Hold one of the places, as soon as there is one for the caller."""
        async with self._freed:
            await self._freed.wait_for(lambda: self._takes(caller))
        try:
            yield
        finally:
            self._places.count(caller, -1)
            async with self._freed:
                self._freed.notify_all()

    def _takes(self, caller: str) -> bool:
        try:
            self._places.take(caller)
        except Overloaded:
            return False
        return True


async def _uninterrupted(step: Coroutine[Any, Any, ReadResult | None], reader: IsolatedReader) -> ReadResult | None:
    """Return what a thread reads; if cancelled, make it end first, since it uses the reader."""
    task = asyncio.create_task(step)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        reader.interrupt()
        await asyncio.wait([task])
        raise
