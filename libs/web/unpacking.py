"""Decompresses bytes up to a size limit: a few kilobytes can expand to gigabytes. CPU work alone."""

import zlib
from typing import Final

_WINDOW: Final = {"gzip": zlib.MAX_WBITS | 16, "x-gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS}
"""zlib's windows of the supported content encodings; 16 more stand for gzip's header."""


class UnpackError(ValueError):
    """The bytes are damaged, in an unknown encoding, or too large; the message says which."""


def unpack(data: bytes, encoding: str, most: int) -> bytes:
    """Decompress `data` to at most `most` bytes.

    Raises:
        UnpackError: the bytes are damaged or in an unknown encoding, or exceed the limit.
    """
    if encoding not in _WINDOW:
        raise UnpackError(f"is packed as {encoding[:20]}, which is not supported")  # cut: a stranger's text
    unpacker = zlib.decompressobj(_WINDOW[encoding])
    try:
        content = unpacker.decompress(data, most + 1)
    except zlib.error:
        raise UnpackError("cannot be decompressed") from None
    if len(content) > most:
        raise UnpackError(f"is larger than {most:,} bytes")
    if not unpacker.eof:
        raise UnpackError("cannot be decompressed")
    return content
