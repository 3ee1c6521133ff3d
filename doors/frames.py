"""The frames of gRPC-Web: one byte of flags, four of length, the content."""

from typing import Final

DATA: Final = 0x00
COMPRESSED: Final = 0x01
TRAILERS: Final = 0x80
HEAD_BYTES: Final = 5


class BadFrame(Exception):  # noqa: N818 - it names what is wrong
    """The request is not one whole message; the text says why, for people."""


def frame(flags: int, content: bytes) -> bytes:
    """A frame."""
    return bytes((flags,)) + len(content).to_bytes(4, "big") + content


def single_message(body: bytes) -> bytes:
    """The one message of a request.

    Raises:
        BadFrame: the body is not exactly one uncompressed frame of data.
    """
    if len(body) < HEAD_BYTES:
        raise BadFrame("The request ends before its message.")
    if body[0] & COMPRESSED:
        raise BadFrame("The message is compressed, which is not supported.")
    if body[0] != DATA:
        raise BadFrame("The request does not begin with a message.")
    length = int.from_bytes(body[1:HEAD_BYTES], "big")
    if len(body) != HEAD_BYTES + length:
        raise BadFrame("The request has not exactly one message of the length that it states.")
    return body[HEAD_BYTES:]
