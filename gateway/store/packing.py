"""Packs what the event log stores: long contents are compressed, mostly the passages of references."""

import zlib
from typing import Final

LONG: Final = 256
"""Shorter contents, in bytes, gain nothing."""
LEVEL: Final = 1
"""zlib's fastest level: references shrink to less than half in .2 ms."""
_PLAIN: Final = b"\x00"
_COMPRESSED: Final = b"\x01"


def pack(content: bytes) -> bytes:
    """Return the content as it is stored."""
    if len(content) < LONG:
        return _PLAIN + content
    compressed = zlib.compress(content, LEVEL)
    return _COMPRESSED + compressed if len(compressed) < len(content) else _PLAIN + content


def unpack(stored: bytes) -> bytes:
    """Return what was packed."""
    return zlib.decompress(stored[1:]) if stored[:1] == _COMPRESSED else stored[1:]
