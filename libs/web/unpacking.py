"""Decompresses bytes up to a size limit: a few kilobytes can expand to gigabytes."""

import zlib
from typing import Final

_WINDOW: Final = {"gzip": zlib.MAX_WBITS | 16, "x-gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}
ENCODINGS: Final = frozenset(_WINDOW)
"""Supported content encodings; others are not requested."""


class NotUnpacked(ValueError):  # noqa: N818 - it names what is wrong
    """The bytes are damaged, in an unknown encoding, or too large; the message says which."""


class Oversized(NotUnpacked):
    """The decompressed bytes exceed the limit."""


def unpack(data: bytes, encoding: str, most: int) -> bytes:
    """Decompress `data` to at most `most` bytes.

    Raises:
        NotUnpacked: the bytes are damaged or in an unknown encoding.
        Oversized: the decompressed bytes exceed the limit.
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
