"""The console's files, built into `doors/console` (`make console`)."""

from pathlib import Path
from typing import Final

from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

CONSOLE: Final = Path(__file__).resolve().parent / "console"
"""Where the built console is."""
ASSETS: Final = "/assets/"
"""Files below it have a digest of their content in their names."""
FOR_EVER: Final = "public, max-age=31536000, immutable"  # a year, in seconds
NOT_BUILT: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
<h1>The console is not built</h1>
<p>This suite runs from a checkout. With Node.js on this machine, build the page once and load this one again:</p>
<pre>make console</pre>
<p>gRPC-Web and uploads work without it.</p>
</html>
"""


class ConsoleFiles:
    """Serves the built console, read in threads, or a page that says how to build it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = GZipMiddleware(StaticFiles(directory=folder, html=True, check_dir=False))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a file (ASGI)."""
        if not (self._folder / "index.html").is_file():
            await HTMLResponse(NOT_BUILT, 503)(scope, receive, send)
            return
        caching = FOR_EVER if ASSETS in scope["path"] else "no-cache"

        async def send_with_caching(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                message["headers"] = [*message["headers"], (b"cache-control", caching.encode())]
            await send(message)

        await self._files(scope, receive, send_with_caching)
