"""Servers that speak the protocol of a part and answer nonsense."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc

from tests.fakes.http_server import QuietHandler, http_server

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

    class Handler(QuietHandler):
        protocol_version = "HTTP/1.1"

        def do_request(self) -> None:
            self.content()
            self.reply(answer, headers={"X-Elastic-Product": "Elasticsearch", "Content-Type": content_type})

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_request  # noqa: N815

    with http_server(Handler) as port:
        yield port
