"""How many fields an encoded message has, counted before it is decoded: two bytes become objects of hundreds."""

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types."""


def field_count(content: bytes, message: Descriptor, most: int) -> int:
    """Count the fields of a message and of those within it; above `most`, the count may be any number above it.

    Each byte of a packed list counts. Takes about a microsecond a field.

    Raises:
        DecodeError: the bytes are no such message.
    """
    count, pieces = 0, [(0, len(content), message)]
    try:
        while pieces and count <= most:
            position, end, kind = pieces.pop()
            while position < end and count <= most:
                tag, start = _varint(content, position)
                count += 1
                position = _field_end(content, start, tag & 7)
                field = kind.fields_by_number.get(tag >> 3)
                if tag & 7 == BYTES and field is not None and field.message_type:
                    pieces.append((_varint(content, start)[1], position, field.message_type))
                elif field is not None and field.is_packed:
                    count += position - start
    except IndexError as error:
        raise DecodeError("the message is incomplete") from error
    return count


def _field_end(content: bytes, start: int, wire_type: int) -> int:
    if wire_type in (FIXED64, FIXED32):
        return start + (8 if wire_type == FIXED64 else 4)
    value, end = _varint(content, start)
    if wire_type not in (VARINT, BYTES):
        raise DecodeError("groups are in no contract")
    return end + value if wire_type == BYTES else end


def _varint(content: bytes, position: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = shift = 0
    while (byte := content[position]) > 127 and shift < 64:
        value |= (byte & 127) << shift
        shift += 7
        position += 1
    return value | byte << shift, position + 1
