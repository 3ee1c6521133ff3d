"""Damage to valid bytes of a message: cut off, flipped, of another wire type, repeated, nested."""

from typing import Final

from google.protobuf.internal import encoder
from hypothesis import strategies as st

DELIMITED: Final = 2
"""Wire type of texts and messages."""
DEEP: Final = 200
"""Levels of nesting; the decoder accepts 100."""


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """The bytes with one kind of damage."""
    place = draw(st.integers(0, len(content)))
    begin, end = content[:place], content[place:]
    number, wire_type = draw(st.integers(1, 30)), draw(st.integers(0, 7))
    noise = draw(st.binary(min_size=1, max_size=12))
    damages = {
        "cut": begin,
        "flipped bit": begin + bytes(byte ^ (1 << wire_type) for byte in end[:1]) + end[1:],
        "wire type": content + _varint(number << 3 | wire_type) + noise,
        "inserted": begin + noise + end,
        "repeated": content * 4,
        "deep": _nested(number, draw(st.sampled_from((50, DEEP)))),
        "unknown field": content + _varint((number + 1000) << 3 | DELIMITED) + b"\x04abcd",
        "noise": noise * number,
    }
    return damages[draw(st.sampled_from([*damages]))]


def _nested(number: int, levels: int) -> bytes:
    """A message in a field of a message in a field …"""
    content = b""
    for _ in range(levels):
        content = _varint(number << 3 | DELIMITED) + _varint(len(content)) + content
    return content


def _varint(value: int) -> bytes:
    parts: list[bytes] = []
    encoder._EncodeVarint(parts.append, value, None)  # type: ignore[attr-defined]
    return b"".join(parts)
