"""A conversation as bytes for a store, and as text that a client carries.

The text is base64 of: the letter P, a version byte, CRC-32 (big endian) of what follows, zlib of the protobuf bytes. It
holds nothing secret from its bearer and grants nothing: principals inside it are ignored.
"""

import base64
import binascii
import struct
import zlib
from typing import Final

from google.protobuf.message import DecodeError

from libs.contracts.session import SessionContext
from libs.contracts.wire.codec import from_message, to_message
from libs.runtime.errors import InvalidInput
from parley.context.v1 import session_pb2

VERSION: Final = 1
HEADER: Final = struct.Struct(">cBI")
MAX_BYTES: Final = 8 * 1024 * 1024
"""Greatest size of an unpacked context: a small text must not unfold into all memory."""


class SessionCodec:
    """The ContextCodec over `parley.context.v1.SessionContext`."""

    def to_bytes(self, context: SessionContext) -> bytes:
        """Protobuf bytes."""
        return to_message(context, session_pb2.SessionContext).SerializeToString()

    def with_turn(self, content: bytes, context: SessionContext) -> bytes:
        """What is read as `context`, given what `to_bytes` made of it before its newest turn.

        Protobuf reads two messages one after the other as one: lists go on, a number is the later one. So a long
        conversation costs no more to keep than a short one.
        """
        return content + self.to_bytes(SessionContext(turns=context.turns[-1:], version=context.version))

    def from_bytes(self, content: bytes) -> SessionContext:
        """What `to_bytes` made."""
        return from_message(session_pb2.SessionContext.FromString(content), SessionContext)

    def encode(self, context: SessionContext) -> str:
        """The text that a client carries."""
        return context_encode(self.to_bytes(context))

    def decode(self, text: str) -> SessionContext:
        """What `encode` made; see `ContextCodec` for what it raises."""
        try:
            return self.from_bytes(context_decode(text))
        except DecodeError as error:
            raise _broken("The context holds no conversation.") from error


def context_encode(content: bytes) -> str:
    """Pack, tag, checksum, and write as base64."""
    packed = zlib.compress(content, level=1)
    return base64.b64encode(HEADER.pack(b"P", VERSION, zlib.crc32(packed)) + packed).decode("ascii")


def context_decode(text: str) -> bytes:
    """What `context_encode` packed.

    Raises:
        InvalidInput: the text is cut, changed, too large or of an unknown version (reason CONTEXT_BROKEN).
    """
    try:
        raw = base64.b64decode(text, validate=True)
        letter, version, checksum = HEADER.unpack_from(raw)
    except (binascii.Error, ValueError, struct.error) as error:
        raise _broken("This is no encoded context.") from error
    if letter != b"P" or version != VERSION:
        raise _broken("The context is of an unknown version.")
    packed = raw[HEADER.size :]
    if zlib.crc32(packed) != checksum:
        raise _broken("The context was cut or changed.")
    return _unpack(packed)


def _unpack(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(packed, MAX_BYTES)
    except zlib.error as error:
        raise _broken("The context cannot be unpacked.") from error
    if unpacker.unconsumed_tail:
        raise _broken(f"The context is larger than {MAX_BYTES} bytes.")
    if not unpacker.eof:
        raise _broken("The context was cut.")
    return content


def _broken(what: str) -> InvalidInput:
    return InvalidInput("context", what, reason="CONTEXT_BROKEN")
