"""The reader behind the chat completions API, on a thread of this process."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from bench.oracle.reader import Reader
from bench.peers.stub_server import DONE, delta, usage

TOKEN: Final = 12
"""Characters of a piece."""


@contextmanager
def serving(reader: Reader) -> Iterator[str]:
    """Its address, ending in `/v1`, for as long as it is served."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = reader.answer("\n".join(message["content"] for message in request["messages"]))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for event in _events(text):
                self.wfile.write(f"data: {event}\n\n".encode())

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def _events(text: str) -> Iterator[str]:
    for start in range(0, len(text), TOKEN):
        yield json.dumps(delta({"content": text[start : start + TOKEN]}))
    yield json.dumps({**delta({}, "stop"), "usage": usage(1)})
    yield DONE
