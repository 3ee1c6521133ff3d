"""Refuses requests whose ends two readers of HTTP could see at different places (RFC 9112, 11.2: request smuggling).

Behind a proxy, what one takes for a body the other takes for somebody's next request. h11 repairs what the standard
lets it repair, and does not tell; here nothing is repaired.
"""

import re
from typing import Any, Final

import h11
from h11._receivebuffer import ReceiveBuffer
from uvicorn.protocols.http.h11_impl import H11Protocol

_LOOSE: Final = re.compile(rb"(?<!\r)\n|\r(?!\n)|\n[ \t]")
"""A line end of one character, and a line that continues the one before it."""
_LENGTH: Final = re.compile(rb"^(?:content-length|(transfer-encoding)):([^\r]*)", re.IGNORECASE | re.MULTILINE)
"""What says where a body ends; its group 1: by chunks, which only HTTP/1.1 has."""


class StrictProtocol(H11Protocol):
    """Answers 400 to an ambiguous request, and closes the connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn._receive_buffer = _StrictBuffer()  # h11 lets see only what it made of the lines

    def send_400_response(self, msg: str) -> None:
        """Answer in the application's place; if its answer runs already, the connection ends in the middle of it."""
        if self.cycle is not None:
            self.cycle.disconnected = True
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()


class _StrictBuffer(ReceiveBuffer):
    def maybe_extract_lines(self) -> list[bytearray] | None:
        """The lines of a head or of trailers; None if they are not there yet.

        Raises:
            LocalProtocolError: they are ambiguous.
        """
        received = bytes(self)
        lines = super().maybe_extract_lines()
        if lines is not None and is_ambiguous(received[: len(received) - len(self)]):
            raise h11.LocalProtocolError("ambiguous lines")
        return lines

    def maybe_extract_next_line(self) -> bytearray | None:
        """The line before a chunk; errors as above."""
        line = super().maybe_extract_next_line()
        if line is not None and _LOOSE.search(line):
            raise h11.LocalProtocolError("an ambiguous line")
        return line


def is_ambiguous(lines: bytes) -> bool:
    """Whether the lines of a head, or of trailers, have more than one reading."""
    lengths = _LENGTH.findall(lines)
    may_be_chunked = lines.partition(b"\r\n")[0].endswith(b" HTTP/1.1")
    has_odd_length = any(b"," in value or (chunks and not may_be_chunked) for chunks, value in lengths)
    return len(lengths) > 1 or has_odd_length or _LOOSE.search(lines) is not None
