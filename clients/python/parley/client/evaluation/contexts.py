"""A conversation that the client carries, as `completed` gives it, and as messages.

The text is base64 of: the letter P, a version byte, CRC-32 (big endian) of what follows, zlib of the protobuf bytes.
"""

import base64
import struct
import zlib

from google.protobuf.message import DecodeError

from parley.context.v1 import session_pb2

VERSION = 1
HEADER = struct.Struct(">cBI")
MAX_BYTES = 8 * 1024 * 1024
"""Greatest size of an unpacked context: a small text must not unfold into all memory (the gateway's bound)."""


def context_encode(context: session_pb2.SessionContext) -> str:
    """The text of a conversation, for the field `context` of a question."""
    payload = zlib.compress(context.SerializeToString(), level=1)  # the fastest
    return base64.b64encode(HEADER.pack(b"P", VERSION, zlib.crc32(payload)) + payload).decode("ascii")


def context_decode(text: str) -> session_pb2.SessionContext:
    """The conversation of a text.

    Raises:
        ValueError: it is no context, was cut or changed, is too large or of an unknown version.
    """
    try:
        raw = base64.b64decode(text, validate=True)
        letter, version, checksum = HEADER.unpack_from(raw)
    except (ValueError, struct.error):
        raise ValueError("The text is not an encoded context: pass the one of an answer unchanged.") from None
    if (letter, version) != (b"P", VERSION):
        raise ValueError("The context is of another version: it needs a newer client.")
    payload = raw[HEADER.size :]
    if zlib.crc32(payload) != checksum:
        raise ValueError("The context was cut or changed: pass it as the answer brought it.")
    return _parse(payload)


def _parse(payload: bytes) -> session_pb2.SessionContext:
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(payload, MAX_BYTES)
    except zlib.error:
        raise ValueError("The context cannot be unpacked: pass it as the answer brought it.") from None
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise ValueError(f"The context was cut, or is larger than {MAX_BYTES} bytes.")
    try:
        return session_pb2.SessionContext.FromString(content)
    except DecodeError:
        raise ValueError("The context holds no conversation: pass it as the answer brought it.") from None
