"""Packed bytes unpacked up to a bound: a few kilobytes may stand for gigabytes, and nobody says so beforehand."""

import zlib
from typing import Final

_WINDOW: Final = {"gzip": zlib.MAX_WBITS | 16, "x-gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}
ENCODINGS: Final = frozenset(_WINDOW)
"""Content encodings that are understood; others are not asked for."""


class NotUnpacked(ValueError):  # noqa: N818 - it names what is wrong
    """The bytes are damaged, packed in an unknown way, or too large; the message says which."""


class Oversized(NotUnpacked):
    """They are larger than the bound."""


def unpack(data: bytes, encoding: str, most: int) -> bytes:
    """The bytes that `data` stands for, at most `most` of them.

    Raises:
        NotUnpacked: see there.
    """
    if encoding not in _WINDOW:
        raise NotUnpacked(f"is packed as {encoding[:20]}, which is not understood")
    unpacker = zlib.decompressobj(_WINDOW[encoding])
    try:
        unpacked = unpacker.decompress(data, most + 1)
    except zlib.error:
        raise NotUnpacked("cannot be unpacked") from None
    if len(unpacked) > most:
        raise Oversized(f"is larger than {most:,} bytes")
    if not unpacker.eof:
        raise NotUnpacked("cannot be unpacked")
    return unpacked
