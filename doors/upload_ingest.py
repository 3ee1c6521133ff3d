"""Ingests an upload over the gateway's stream, and tells what happens as events."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final

import grpc

from doors.callers import Metadata
from doors.upload_reading import Upload, UploadReader
from ingest.documents import ParsedDocument, PassedOver, ReadResult, Unreadable
from ingest.wire import MAX_BYTES, TOO_LARGE, UNSENDABLE, document_of
from libs.runtime.channel import stream
from libs.runtime.errors import ParleyError
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc

UNREACHABLE: Final = "cannot be ingested: no gateway answers"
Event = Mapping[str, Any]


@dataclass(slots=True)
class Ingest:
    """One upload under way."""

    reader: UploadReader
    upload: Upload
    events: "asyncio.Queue[Event | None]" = field(default_factory=asyncio.Queue)
    """What has happened; None at the end."""
    counts: Counter[str] = field(default_factory=Counter)

    async def run(self, channel: grpc.aio.Channel, metadata: Metadata) -> None:
        """Read and ingest; failures become events."""
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        try:
            async with aclosing(stream(stub.Ingest, self._requests(), metadata=metadata)) as answers:
                async for answer in answers:
                    self._tell_answer(answer)
        except ParleyError as error:
            self._fail(self.upload.name, UNREACHABLE if error.is_unanswered else error.message, code=error.reason)
        finally:
            self.events.put_nowait(None)

    async def _requests(self) -> AsyncIterator[corpus_pb2.IngestRequest]:
        yield corpus_pb2.IngestRequest(header=corpus_pb2.IngestHeader(collection=self.upload.collection, progress=True))
        async with aclosing(self.reader.read(self.upload)) as results:
            async for result in results:
                if (document := self._document(result)) is not None:
                    yield corpus_pb2.IngestRequest(document=document)

    def _document(self, result: ReadResult) -> corpus_pb2.Document | None:
        """The message of a result; None if there is none, which is told."""
        if isinstance(result, PassedOver):
            self._tell("skipped", name=result.where, reason=result.reason)
            return None
        if isinstance(result, Unreadable):
            self._fail(result.where, result.reason, line=result.line)
            return None
        return self._sendable(result)

    def _sendable(self, source: ParsedDocument) -> corpus_pb2.Document | None:
        line = None if source.row is None else source.row + 1
        try:
            document = document_of(source, self.upload.principals)
        except ValueError:
            self._fail(self.upload.name, UNSENDABLE, line=line)
            return None
        if document.ByteSize() > MAX_BYTES:
            self._fail(self.upload.name, TOO_LARGE, line=line)
            return None
        return document

    def _tell_answer(self, answer: corpus_pb2.IngestResponse) -> None:
        document = {"document_id": answer.document_id, "passages": answer.passages}
        if answer.status == corpus_pb2.INGEST_STATUS_UNDER_WAY:
            self._tell("progress", **document)
        elif answer.status == corpus_pb2.INGEST_STATUS_FAILED:
            self._fail(answer.document_id, answer.description, code=answer.reason)
        else:
            status = corpus_pb2.IngestStatus.Name(answer.status).removeprefix("INGEST_STATUS_").lower()
            self.counts.update(documents=1, passages=answer.passages)
            self._tell("stored", **document, status=status)

    def _fail(self, name: str, reason: str, **more: Any) -> None:
        self.counts.update(failed=1)
        self._tell("failed", name=name, reason=reason, **{key: value for key, value in more.items() if value})

    def _tell(self, event: str, **fields: Any) -> None:
        self.events.put_nowait({"event": event, **fields})


async def ingest(
    channel: grpc.aio.Channel, reader: UploadReader, upload: Upload, metadata: Metadata
) -> AsyncGenerator[Event, None]:
    """Yield what happens to an upload; closing it ends the ingest."""
    job = Ingest(reader, upload)
    yield {"event": "reading", "name": upload.name}
    running = asyncio.create_task(job.run(channel, metadata))
    try:
        while (event := await job.events.get()) is not None:
            yield event
        await running
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    counts = {key: job.counts[key] for key in ("documents", "passages", "failed")}
    yield {"event": "done", "name": upload.name, **counts}
