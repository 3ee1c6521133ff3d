"""Ingests an upload over the gateway's stream, and tells what happens as events.

A reader who takes the events slowly slows the ingest down. One who takes none for a minute ends it, as it keeps one of
the few processes that read files from others.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import grpc

from doors.callers import Metadata
from doors.upload_reading import Upload, UploadReader
from ingest.documents import ParsedDocument, PassedOver, ReadResult, Unreadable, counts_in_words
from ingest.wire import LEFT_OUT, MAX_BYTES, TOO_LARGE, UNSENDABLE, document_of
from libs.runtime.calling.channel import stream
from libs.runtime.errors import ParleyError
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

Event = Mapping[str, Any]


class ReaderStalled(Exception):  # noqa: N818 - it names what is wrong
    """The reader took no event for too long."""


class EventQueue:
    """Holds events in order until the reader takes them.

    Args:
        most: events that may wait; the producer of a further one waits, too.
        stall_seconds: the longest wait for the reader to take one.
    """

    def __init__(self, most: int, stall_seconds: float) -> None:
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._places = asyncio.Semaphore(most)
        self._stall_seconds = stall_seconds

    async def put(self, event: Event) -> None:
        """Add an event as soon as there is a place for it.

        Raises:
            ReaderStalled: there is none in time.
        """
        try:
            async with asyncio.timeout(self._stall_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise ReaderStalled from None
        self._events.put_nowait(event)

    def end(self, last: Event | None = None) -> None:
        """End the queue, after a last event if there is one; neither waits for a place."""
        if last is not None:
            self._events.put_nowait(last)
        self._events.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._events.get()) is not None:
            self._places.release()
            yield event


UNREACHABLE: Final = "cannot be ingested: the gateway does not answer"
STALLED: Final = "was not ingested further: the client stopped reading the events of its upload"
MAX_EVENTS: Final = 64
"""Events that wait for their reader (taste); further answers wait in gRPC's buffers of megabytes, and the gateway."""
MAX_OMISSIONS: Final = 100
"""Omissions of a document that are told one by one (taste)."""
STALL_SECONDS: Final = 60.0
"""Longest wait for a reader: longer than a connection that is busy or lost for a moment needs (taste)."""


@dataclass(slots=True)
class Ingest:
    """One upload under way."""

    reader: UploadReader
    upload: Upload
    events: EventQueue = field(default_factory=lambda: EventQueue(MAX_EVENTS, STALL_SECONDS))
    """What has happened."""
    counts: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    """How often something of the file is not in its documents, by reason."""

    async def run(self, channel: grpc.aio.Channel, metadata: Metadata) -> None:
        """Read and ingest; a failed call and a stalled reader become events."""
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        last = None
        try:
            async with aclosing(stream(stub.Ingest, self._requests(), metadata=metadata)) as answers:
                async for answer in answers:
                    await self._tell_answer(answer)
        except ParleyError as error:
            reason = UNREACHABLE if error.is_unanswered else error.message
            last = self._failure(self.upload.name, reason, code=error.reason)
        except ReaderStalled:
            last = self._failure(self.upload.name, STALLED)
        finally:
            self.events.end(last)

    async def _requests(self) -> AsyncIterator[corpus_pb2.IngestRequest]:
        yield corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(collection=self.upload.collection, progress=True))
        async with aclosing(self.reader.read(self.upload)) as results:
            async for result in results:
                if (document := await self._document(result)) is not None:
                    yield corpus_pb2.IngestRequest(document=document)

    async def _document(self, result: ReadResult) -> corpus_pb2.Document | None:
        """The message of a result; None if there is none, which is told."""
        if isinstance(result, PassedOver):
            await self._tell("skipped", name=result.where, reason=result.reason)
            return None
        if isinstance(result, Unreadable):
            await self._fail(result.where, result.reason, line=result.line)
            return None
        return await self._sendable(result)

    async def _sendable(self, source: ParsedDocument) -> corpus_pb2.Document | None:
        line = None if source.row is None else source.row + 1
        try:
            document = document_of(source, self.upload.principals)
        except ValueError:
            await self._fail(self.upload.name, UNSENDABLE, line=line)
            return None
        if document.ByteSize() > MAX_BYTES:
            await self._fail(self.upload.name, TOO_LARGE, line=line)
            return None
        if summary := document.metadata.get(LEFT_OUT):
            self.left_out.update(omission.reason for omission in source.omissions)
            omissions = [asdict(omission) for omission in source.omissions[:MAX_OMISSIONS]]
            await self._tell("left_out", document_id=document.document_id, summary=summary, omissions=omissions)
        return document

    async def _tell_answer(self, answer: corpus_pb2.IngestResponse) -> None:
        document = {"document_id": answer.document_id, "passages": answer.passages}
        if answer.status == corpus_pb2.INGEST_STATUS_UNDER_WAY:
            await self._tell("progress", **document)
        elif answer.status == corpus_pb2.INGEST_STATUS_FAILED:
            await self._fail(answer.document_id, answer.description, code=answer.reason)
        else:
            status = corpus_pb2.IngestStatus.Name(answer.status).removeprefix("INGEST_STATUS_").lower()
            self.counts.update(documents=1, passages=answer.passages)
            await self._tell("stored", **document, status=status)

    async def _fail(self, name: str, reason: str, **more: Any) -> None:
        await self.events.put(self._failure(name, reason, **more))

    def _failure(self, name: str, reason: str, **more: Any) -> Event:
        """Count a failure, and return its event; what is empty is left out."""
        self.counts.update(failed=1)
        further = {key: value for key, value in more.items() if value}
        return {"event": "failed", "name": name, "reason": reason, **further}

    async def _tell(self, event: str, **fields: Any) -> None:
        await self.events.put({"event": event, **fields})


async def ingest(
    channel: grpc.aio.Channel, reader: UploadReader, upload: Upload, metadata: Metadata
) -> AsyncGenerator[Event, None]:
    """Yield what happens to an upload, on the event loop; closing it ends the ingest."""
    job = Ingest(reader, upload)
    yield {"event": "reading", "name": upload.name}
    running = asyncio.create_task(job.run(channel, metadata))
    try:
        async for event in job.events:
            yield event
        await running
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    counts = {key: job.counts[key] for key in ("documents", "passages", "failed")}
    left_out = counts_in_words(job.left_out)
    yield {"event": "done", "name": upload.name, **counts, **({"left_out": left_out} if left_out else {})}
