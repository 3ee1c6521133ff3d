"""A gRPC server on a port of its own, with servicers that a test scripts."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc


@contextmanager
def serving(*registrations: Callable[[grpc.Server], None]) -> Iterator[int]:
    """Serve what each of them adds to the server; yield its port."""
    server = grpc.server(ThreadPoolExecutor(4))
    for register in registrations:
        register(server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield port
    finally:
        server.stop(None).wait()
