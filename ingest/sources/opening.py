"""Opening a stranger's files: only regular ones, as a pipe never ends and a device may have no end."""

import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

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
