"""A client of HTTP/2 that does what no gRPC client does: it opens streams, resets them, and reads nothing of them."""

import select
import socket
import struct
from functools import cache
from types import TracebackType
from typing import Final, Self

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS = 0, 1, 3, 4
END_STREAM, END_HEADERS = 1, 4
ACK: Final = 1
INITIAL_WINDOW: Final = 4
CANCEL: Final = struct.pack(">I", 8)


class RawConnection:
    """A connection from `source`; `window` is how many bytes the server may send of a stream that is not read."""

    def __init__(self, target: str, window: int = 65535, source: str = "") -> None:
        host, _, port = target.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=10, source_address=(source, 0))
        own, servers = _frame(SETTINGS, 0, 0, struct.pack(">HI", INITIAL_WINDOW, window)), _frame(SETTINGS, ACK, 0, b"")
        self._socket.sendall(PREFACE + own + servers)
        self._next = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._socket.close()

    def call(self, method: str, message: bytes | None, *, times: int = 1, resets: bool = False) -> None:
        """Open streams; without a message none is sent, nor an end. `resets`: they are cancelled at once."""
        frames = b""
        for _ in range(times):
            self._next += 2
            frames += _frame(HEADERS, END_HEADERS, self._next, _header_block(method))
            if message is not None:
                frames += _frame(DATA, END_STREAM, self._next, struct.pack(">BI", 0, len(message)) + message)
            if resets:
                frames += _frame(RESET, 0, self._next, CANCEL)
        self._socket.sendall(frames)

    def reset(self, streams: int) -> None:
        """Cancel the last streams."""
        last = range(self._next - 2 * streams + 2, self._next + 2, 2)
        self._socket.sendall(b"".join(_frame(RESET, 0, stream, CANCEL) for stream in last))

    def drop_received(self) -> None:
        """Forget what has arrived.

        Raises:
            ConnectionError: the server has closed the connection.
        """
        while select.select([self._socket], [], [], 0)[0]:
            if not self._socket.recv(1 << 20):
                raise ConnectionResetError


def _frame(kind: int, flags: int, stream: int, body: bytes) -> bytes:
    return struct.pack(">I", len(body))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + body


@cache
def _header_block(method: str) -> bytes:
    """The headers of a call, none of them indexed; names and values have fewer than 127 bytes."""
    headers = {":method": "POST", ":scheme": "http", ":path": method, ":authority": "localhost"}
    headers |= {"content-type": "application/grpc", "te": "trailers"}
    return b"".join(b"\x00" + _short(name) + _short(value) for name, value in headers.items())


def _short(text: str) -> bytes:
    return bytes((len(text),)) + text.encode()
