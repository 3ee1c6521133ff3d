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

import anyio
import grpc
from anyio.streams.memory import MemoryObjectSendStream

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
    events: MemoryObjectSendStream[Event]
    """Takes what has happened."""
    counts: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    """How often something of the file is not in its documents, by reason."""

    async def run(self, channel: grpc.aio.Channel, metadata: Metadata) -> None:
        """Read and ingest; a failed call and a stalled reader become events."""
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        with self.events:
            try:
                async with aclosing(stream(stub.Ingest, self._requests(), metadata=metadata)) as answers:
                    async for answer in answers:
                        await self._tell_answer(answer)
            except ParleyError as error:
                reason = UNREACHABLE if error.is_unanswered else error.message
                await self.events.send(self._failure(self.upload.name, reason, code=error.reason))
            except ReaderStalled:
                await self.events.send(self._failure(self.upload.name, STALLED))

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
        await self._put(self._failure(name, reason, **more))

    def _failure(self, name: str, reason: str, **more: Any) -> Event:
        """Count a failure, and return its event; what is empty is left out."""
        self.counts.update(failed=1)
        further = {key: value for key, value in more.items() if value}
        return {"event": "failed", "name": name, "reason": reason, **further}

    async def _tell(self, event: str, **fields: Any) -> None:
        await self._put({"event": event, **fields})

    async def _put(self, event: Event) -> None:
        try:
            async with asyncio.timeout(STALL_SECONDS):
                await self.events.send(event)
        except TimeoutError:
            raise ReaderStalled from None


async def ingest(
    channel: grpc.aio.Channel, reader: UploadReader, upload: Upload, metadata: Metadata
) -> AsyncGenerator[Event, None]:
    """Yield what happens to an upload, on the event loop; closing it ends the ingest."""
    yield {"event": "reading", "name": upload.name}
    events, told = anyio.create_memory_object_stream[Event](MAX_EVENTS)
    job = Ingest(reader, upload, events)
    running = asyncio.create_task(job.run(channel, metadata))
    try:
        async for event in told:
            yield event
        await running
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        events.close()
        told.close()
    counts = {key: job.counts[key] for key in ("documents", "passages", "failed")}
    left_out = counts_in_words(job.left_out)
    yield {"event": "done", "name": upload.name, **counts, **({"left_out": left_out} if left_out else {})}
