"""Servers that speak the protocol of a part and answer nonsense."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import grpc

UNREADABLE = b"\xff\xff\xff\xff\x0f\x07garbage"
"""No message of any type can be read from it."""


class _Anything(grpc.GenericRpcHandler):
    """Answers every method with one message."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        return grpc.stream_stream_rpc_method_handler(lambda requests, context: iter([self._answer]))


@contextmanager
def grpc_impostor(answer: bytes) -> Iterator[int]:
    """A gRPC server on the port that it yields; every call gets `answer` as its only message."""
    server = grpc.server(ThreadPoolExecutor(8), handlers=[_Anything(answer)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield port
    finally:
        server.stop(None).wait()


@contextmanager
def http_impostor(answer: bytes, content_type: str = "application/json") -> Iterator[int]:
    """An HTTP server on the port that it yields; every request gets 200 and `answer`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_request(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(200)
            self.send_header("X-Elastic-Product", "Elasticsearch")
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer)

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_request  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
