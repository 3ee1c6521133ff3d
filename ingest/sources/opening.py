"""Opening a stranger's files: only regular ones, as a pipe never ends and a device may have no end.

A packed file ends when it unpacks to far more than any text does. Reading blocks on the disk.
"""

import gzip
import io
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from ingest.bounds import ReadingBounds

_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
"""Without O_NONBLOCK, opening a pipe would wait for a writer."""


class NotRegularError(OSError):
    """The path leads to a folder, a pipe, a device or a socket."""


def open_regular(path: Path, *, links: bool = True) -> BinaryIO:
    """Open a regular file for reading.

    Args:
        path: of the file.
        links: whether its last part may be a link.

    Raises:
        NotRegularError: it is something else.
        OSError: it cannot be opened.
    """
    descriptor = os.open(path, _FLAGS | (0 if links else os.O_NOFOLLOW))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotRegularError(0, "is not a regular file")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def unpacked(raw: BinaryIO, bounds: ReadingBounds) -> BinaryIO:
    """The content of a `.gz` file. Reading raises OSError, also for too many bytes, EOFError, zlib.error."""
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
            raise OSError(0, f"unpacks to more than {self._bounds.ratio} times its size")
        return len(content)
