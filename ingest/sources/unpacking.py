"""Streams of packed files, which end when they unpack to far more than any text does."""

import gzip
import io
from collections.abc import Callable
from typing import BinaryIO

from ingest.bounds import ReadingBounds


class PackedTooTightly(ValueError):  # noqa: N818 - it names what is wrong
    """The file unpacks to too many times its size."""


def unpacked(raw: BinaryIO, bounds: ReadingBounds) -> BinaryIO:
    """The content of a `.gz` file. Reading it raises PackedTooTightly, and what GzipFile raises."""
    return io.BufferedReader(_Unpacking(gzip.GzipFile(fileobj=raw), raw.tell, bounds))


class _Unpacking(io.RawIOBase):
    """Counts what comes out of a packed file against what went in."""

    def __init__(self, stream: gzip.GzipFile, packed_bytes: Callable[[], int], bounds: ReadingBounds) -> None:
        super().__init__()
        self._stream = stream
        self._packed_bytes = packed_bytes
        self._bounds = bounds
        self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # called by BufferedReader alone
        content = self._stream.read1(len(buffer))
        buffer[: len(content)] = content
        self._size += len(content)
        if self._size > max(self._bounds.ratio_from_bytes, self._bounds.ratio * self._packed_bytes()):
            raise PackedTooTightly(f"unpacks to more than {self._bounds.ratio} times its size")
        return len(content)
