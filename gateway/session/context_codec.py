"""Encodes a conversation as text that a client carries.

The text is base64 of: the letter P, a version byte, CRC-32 (big endian) of what follows, zlib of the protobuf bytes. It
contains nothing secret from its bearer and grants no access: principals inside it are ignored. Pure functions.
"""

import base64
import binascii
import struct
import zlib
from typing import Final

from google.protobuf.message import DecodeError

from libs.contracts.conversation import ConversationView
from libs.contracts.session import SessionContext
from libs.contracts.wire.codec import from_message, to_message
from libs.contracts.wire.field_count import field_count
from libs.contracts.wire.malformed import MalformedMessage
from libs.runtime.errors import InvalidInput
from libs.runtime.serving.validation import Validation
from parley.context.v1 import conversation_pb2, session_pb2

VERSION: Final = 1
HEADER: Final = struct.Struct(">cBI")
MAX_BYTES: Final = 8 * 1024 * 1024
"""Maximum size of an unpacked context, as protection against decompression bombs (taste)."""
MAX_FIELDS: Final = 100_000
"""Maximum fields of a context: a turn has some 700, and a message of no bytes becomes an object (taste)."""
MAX_IMPORT_BYTES: Final = 64 * 1024 * 1024
"""The same of a whole session that is imported; 1,000 turns with the texts of their passages have about 18 MB
(taste)."""
MAX_IMPORT_FIELDS: Final = 1_000_000
"""Maximum fields of a whole session that is imported: 1,000 turns have some 700,000 (taste)."""
UNCOUNTED_BYTES: Final = 64 * 1024
"""Size up to which fields are not counted, because decoding is as fast (taste)."""
_MESSAGE: Final = session_pb2.SessionContext


def context_encode(context: session_pb2.SessionContext) -> str:
    """Return the text that a client carries, packed at zlib's fastest level: a user waits for it."""
    payload = zlib.compress(context.SerializeToString(), level=1)
    return base64.b64encode(HEADER.pack(b"P", VERSION, zlib.crc32(payload)) + payload).decode("ascii")


def context_decode(text: str, max_bytes: int = MAX_BYTES, max_fields: int = MAX_FIELDS) -> SessionContext:
    """Return the conversation in a client's text; takes up to seconds.

    Raises:
        InvalidInput: the text is truncated, modified, too large or of an unknown version (reason CONTEXT_BROKEN).
    """
    try:
        raw = base64.b64decode(text, validate=True)
        letter, version, checksum = HEADER.unpack_from(raw)
    except (binascii.Error, ValueError, struct.error) as error:
        raise _broken("The text is not an encoded context: send the one that `completed` returned.") from error
    if letter != b"P" or version != VERSION:
        raise _broken(f"The context is of another release than this, which reads version {VERSION}: begin a new one.")
    payload = raw[HEADER.size :]
    if zlib.crc32(payload) != checksum:
        raise _broken("The context was changed on the way (wrong checksum): send it as `completed` returned it.")
    content = _unpack(payload, max_bytes)
    try:
        if len(content) > UNCOUNTED_BYTES and field_count(content, _MESSAGE.DESCRIPTOR, max_fields) > max_fields:
            raise _broken(f"The context has more than {max_fields:,} fields: begin a new conversation.")
        return from_message(_MESSAGE.FromString(content), SessionContext)
    except (DecodeError, MalformedMessage) as error:
        raise _broken("The context is damaged: it contains no conversation.") from error


def check_view(view: ConversationView, rules: Validation) -> None:
    """Check what the stages would read of a client's conversation, which they would refuse in the middle of a turn.

    Raises:
        InvalidInput: it breaks a rule of the contract (reason CONTEXT_BROKEN).
    """
    try:
        rules.check(to_message(view, conversation_pb2.ConversationView))
    except InvalidInput as error:
        raise _broken(f"The context is none of this suite: {error.violations[0].description}") from error


def _unpack(payload: bytes, max_bytes: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(payload, max_bytes)
    except zlib.error as error:
        raise _broken("The context is damaged: it cannot be unpacked.") from error
    if unpacker.unconsumed_tail:
        raise _broken(f"The context has more than {max_bytes:,} bytes when it is unpacked: begin a new conversation.")
    if not unpacker.eof:
        raise _broken("The context is incomplete, as its end is missing: send it as `completed` returned it.")
    return content


def _broken(what: str) -> InvalidInput:
    return InvalidInput("context", what, reason="CONTEXT_BROKEN")
