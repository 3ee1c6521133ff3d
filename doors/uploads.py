"""Uploads: a dropped file is read as `parley ingest` reads it, and ingested; the response tells how far it is.

`POST /upload?name=report.pdf&collection=&principal=…` with the file as its body (application/octet-stream). The
response has one JSON object a line, each with an `event`: `reading`; `left_out` for what is not in a document's text,
`progress` and `stored` for a document; `skipped` and `failed` for what gives none, with its name and the reason;
`done`, the last one. A client that goes away, or takes nothing of the response for a minute, ends the ingest; what was
stored stays.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

import grpc
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from doors.bodies import BodyTooLarge, body_parts
from doors.callers import Metadata, caller_of, metadata_of
from doors.settings import DoorsSettings
from doors.upload_ingest import ingest
from doors.upload_reading import Upload, UploadReader
from libs.runtime.errors import Overloaded
from libs.runtime.limits.places import Places

NDJSON: Final = "application/x-ndjson"
BODY: Final = "application/octet-stream"
"""No form of a stranger's page can send it."""
MAX_NAME: Final = 255  # bytes, as file systems allow
MAX_PRINCIPALS: Final = 256
"""Of a document, by the contract."""
MAX_UPLOADS: Final = 16
"""Files that are taken at once; each is stored on the disk until it is ingested. Further ones get 503, and those of a
caller who has half of the places (taste)."""
READERS: Final = 5
"""Uploaded files that are read at once, each in a process of its own; three of one caller, as long as others have none.
Small machines have two cores, but a file that takes minutes should not keep its caller's next one waiting (taste)."""
RETRY: Final = {"retry-after": "5"}
"""Seconds; an upload takes about as long (taste)."""


class Uploads:
    """Receives files into a temporary folder, and ingests them over the channel to the gateway; an ASGI application."""

    def __init__(self, channel: grpc.aio.Channel, settings: DoorsSettings) -> None:
        self._channel = channel
        self._settings = settings
        self._reader = UploadReader(READERS)
        self._places = Places(MAX_UPLOADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an upload (ASGI). What cannot be taken is refused with a reason before anything is read.

        The folder is made and removed on the event loop; its file is written in threads. A full disk raises OSError.
        """
        request = Request(scope, receive)
        name = name_of(request.query_params.get("name", ""))
        caller = caller_of(scope, self._settings.trusted_proxies)
        if refusal := self._refusal(request, name, caller):
            await refusal(scope, receive, send)
            return
        try:
            with TemporaryDirectory(prefix="parley-upload-") as folder:
                response = await self._response(request, name, caller, Path(folder))
                await response(scope, receive, send)
        finally:
            self._places.count(caller, -1)

    def _refusal(self, request: Request, name: str, caller: str) -> Response | None:
        """Take a place for an upload, or tell why it gets none."""
        if request.headers.get("content-type", "").partition(";")[0] != BODY:
            return _failure(415, f"Send the file as {BODY}.")
        if not name:
            return _failure(400, "Name the file: ?name=report.pdf")
        if len(request.query_params.getlist("principal")) > MAX_PRINCIPALS:
            return _failure(400, f"has more than {MAX_PRINCIPALS} principals", name)
        try:
            self._places.take(caller)
        except Overloaded:
            return _failure(503, "cannot be taken now: too many other files are under way", name, RETRY)
        return None

    async def _response(self, request: Request, name: str, caller: str, folder: Path) -> Response:
        principals = tuple(request.query_params.getlist("principal"))
        upload = Upload(name, folder / name, request.query_params.get("collection", ""), principals, caller)
        try:
            parts = body_parts(
                request.scope, request.receive, self._settings.max_upload_bytes, self._settings.idle_seconds
            )
            await upload.write(parts)
        except BodyTooLarge as error:
            return _failure(413, f"is larger than {error.max_bytes // 2**20} MB", name)
        return StreamingResponse(self._lines(upload, metadata_of(request.scope)), media_type=NDJSON)

    async def _lines(self, upload: Upload, metadata: Metadata) -> AsyncIterator[str]:
        async with aclosing(ingest(self._channel, self._reader, upload, metadata)) as events:
            async for event in events:
                yield f"{json.dumps(event, ensure_ascii=False)}\n"


def name_of(name: str) -> str:
    """The name of an uploaded file, without folders; empty if it is none."""
    base = PurePosixPath(name.replace("\\", "/")).name
    is_usable = base not in ("", ".", "..") and len(base.encode()) <= MAX_NAME and base.isprintable()
    return base if is_usable else ""


def _failure(status: int, reason: str, name: str = "", headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"event": "failed", "name": name, "reason": reason}, status, headers)
