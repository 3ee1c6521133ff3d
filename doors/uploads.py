"""Uploads: a dropped file is read as `parley ingest` reads it, and ingested; the response tells how far it is.

`POST /upload?name=report.pdf&collection=&principal=…` with the file as its body (application/octet-stream). The
response has one JSON object a line, each with an `event`: `reading`; `progress` and `stored` for a document; `skipped`
and `failed` for what gives none, with its name and the reason; `done`, the last one. A client that goes away ends the
ingest; what was stored stays.
"""

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

import grpc
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from doors.bodies import BodyTooLarge, body_parts
from doors.callers import Metadata, metadata_of
from doors.settings import DoorsSettings
from doors.upload_ingest import ingest
from doors.upload_reading import Upload, UploadReader

NDJSON: Final = "application/x-ndjson"
BODY: Final = "application/octet-stream"
"""No form of a stranger's page can send it."""
LONGEST_NAME: Final = 255
MOST_PRINCIPALS: Final = 64


class Uploads:
    """Receives files, and ingests them over the channel to the gateway."""

    def __init__(self, channel: grpc.aio.Channel, settings: DoorsSettings) -> None:
        self._channel = channel
        self._most_bytes = settings.max_upload_bytes
        self._reader = UploadReader(settings.readers)

    async def receive(self, request: Request) -> Response:
        """Handle a request; one that cannot be taken is refused with a reason before anything is read."""
        if request.headers.get("content-type", "").partition(";")[0] != BODY:
            return _refusal(415, f"Send the file as {BODY}.")
        name = name_of(request.query_params.get("name", ""))
        if not name:
            return _refusal(400, "Name the file: ?name=report.pdf")
        folder = TemporaryDirectory(prefix="parley-upload-")
        upload = Upload(
            name,
            folder,
            request.query_params.get("collection", ""),
            tuple(request.query_params.getlist("principal")[:MOST_PRINCIPALS]),
        )
        try:
            await upload.write(body_parts(request.scope, request.receive, self._most_bytes))
        except BodyTooLarge as error:
            folder.cleanup()
            return _refusal(413, f"is larger than {error.most_bytes // 2**20} MB", name)
        except BaseException:
            folder.cleanup()
            raise
        return StreamingResponse(self._lines(upload, metadata_of(request.scope)), media_type=NDJSON)

    async def _lines(self, upload: Upload, metadata: Metadata) -> AsyncIterator[str]:
        with upload.folder:
            async with aclosing(ingest(self._channel, self._reader, upload, metadata)) as events:
                async for event in events:
                    yield f"{json.dumps(event, ensure_ascii=False)}\n"


def name_of(name: str) -> str:
    """The name of an uploaded file, without folders; empty if it is none."""
    base = PurePosixPath(name.replace("\\", "/")).name
    is_usable = base not in ("", ".", "..") and len(base.encode()) <= LONGEST_NAME and base.isprintable()
    return base if is_usable else ""


def _refusal(status: int, reason: str, name: str = "") -> JSONResponse:
    return JSONResponse({"event": "failed", "name": name, "reason": reason}, status)
