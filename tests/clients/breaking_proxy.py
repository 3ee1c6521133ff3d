"""A TCP proxy that breaks a turn's connection in the middle, once for each client."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

BYTES: Final = 2_000
"""Bytes of the suite's answer after which the first connection breaks."""


class BreakingProxy:
    """Passes on what comes; the first connection is broken in the middle of the answer."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._left = BYTES
        self._lock = threading.Lock()
        self.breaks = 0

    @property
    def address(self) -> str:
        """Where clients connect."""
        return f"127.0.0.1:{self._listener.getsockname()[1]}"

    def serve(self) -> None:
        """Accept connections until closed."""
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._listener.close()

    def _connect(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection(self._target) as server:
            threading.Thread(target=self._forward, args=(client, server), daemon=True).start()
            while content := server.recv(65_536):
                if self._breaks(len(content)):
                    client.shutdown(socket.SHUT_RDWR)
                    return
                client.sendall(content)

    def _breaks(self, size: int) -> bool:
        with self._lock:
            if self._left <= 0:
                return False
            self._left -= size
            self.breaks += self._left <= 0
            return self._left <= 0

    @staticmethod
    def _forward(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while content := source.recv(65_536):
                sink.sendall(content)
            sink.shutdown(socket.SHUT_WR)


@contextmanager
def breaking_proxy(port: int) -> Iterator[BreakingProxy]:
    """A proxy in front of a port of this machine."""
    proxy = BreakingProxy(("127.0.0.1", port))
    thread = threading.Thread(target=proxy.serve, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.close()
