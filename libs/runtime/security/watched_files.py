"""Files whose content is read anew when they change; what was valid before holds until the new content is."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

import structlog

from libs.runtime.settings import SettingsError

CHECK_SECONDS: Final = 1.0
"""Shortest time between two looks at the files."""
SETTLED_SECONDS: Final = 2.0
"""A file that was written less than this ago may be incomplete, or not fit the others yet."""
RETRY_SECONDS: Final = 0.02  # until files that change are read again (taste)

T = TypeVar("T")
State = tuple[tuple[float, int, int] | None, ...]
_log = structlog.get_logger("parley.files")


class WatchedFiles(Generic[T]):
    """The content of files that belong together; from any thread.

    Args:
        paths: the files.
        read: reads and checks them; raises OSError or ValueError if they cannot be used.
        setting: what names the files, for the error at the start.

    A process that starts while the files are being written waits for the writer: at most `SETTLED_SECONDS` after
    the last change.

    Raises:
        SettingsError: they cannot be used at the start.
    """

    def __init__(self, paths: Sequence[Path], read: Callable[[], T], setting: str) -> None:
        self._paths = paths
        self._read = read
        try:
            self._state, self._content = self._first()
        except (OSError, ValueError) as error:
            raise SettingsError(f"{setting}: {_reason(error)}") from None
        self._checked_at = time.monotonic()

    def current(self) -> T:
        """What is in the files, or what was in them when they were last valid; the same object until they change."""
        now = time.monotonic()
        if now - self._checked_at >= CHECK_SECONDS:
            self._checked_at = now
            state = self._stat()
            if state != self._state:
                self._renew(state)
        return self._content

    def _first(self) -> tuple[State, T]:
        while True:
            state = self._stat()
            try:
                return state, self._read_all()
            except ValueError:
                # A file system's clock may be slightly ahead of this machine's.
                if not any(abs(time.time() - each[0]) < SETTLED_SECONDS for each in self._stat() if each):
                    raise
            time.sleep(RETRY_SECONDS)

    def _renew(self, state: State) -> None:
        try:
            self._content = self._read_all()
        except (OSError, ValueError) as error:
            # The state stays the old one: the files are looked at again, as another one may be on its way.
            _log.warning("the new files cannot be used: the earlier ones stay in use", reason=_reason(error))
        else:
            self._state = state
            _log.info("files renewed", files=[str(path) for path in self._paths])

    def _read_all(self) -> T:
        """Read the files, if all are regular ones: reading another (a pipe, a device) may never end."""
        for path in self._paths:
            if path.exists() and not path.is_file():
                raise ValueError(f"{path} is no regular file")
        return self._read()

    def _stat(self) -> State:
        return tuple(map(_file_state, self._paths))


def _reason(error: Exception) -> str:
    """Why files cannot be used, for people."""
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)


def _file_state(path: Path) -> tuple[float, int, int] | None:
    """When the file was written, and what else changes with it; that it is missing is a state, too."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime, status.st_size, status.st_ino
