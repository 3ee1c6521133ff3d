"""What files are called in a collection: by the roots that it was filled from."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x1f/]")


class Roots:
    """The roots of a collection, on this machine and on others."""

    def __init__(self, prefixes: Mapping[str, str] | None = None) -> None:
        """`prefixes`: what ids begin with, by the root's resolved path as `location_of` tells it."""
        self._prefixes = dict(prefixes or {})
        self._known = frozenset(self._prefixes.values())

    def id_of(self, file: Path) -> str | None:
        """The id of a file or folder: that of the deepest root, and the path below it; None where it lies in none.

        Args:
            file: absolute. Links in it are taken as they are: resolve it first where they should not be.
        """
        for folder in (file, *file.parents):
            prefix = self._prefixes.get(location_of(folder))
            if prefix is not None:
                return "/".join((prefix, *file.parts[len(folder.parts) :]))
        return None

    def inside(self, folder: Path) -> dict[str, Path]:
        """The roots below a folder: where each lies, by what its ids begin with."""
        above = f"{location_of(folder).rstrip('/')}/"
        return {
            prefix: Path(location)
            for location, prefix in self._prefixes.items()
            if location.startswith(above) and location != above
        }

    def owner(self, document_id: str) -> str | None:
        """The beginning of a document's id that is a root's; None where it is no root's.

        A folder's ids go on after it with "/". Ids without one are a single file's, and go on with "#", or not at all.
        """
        name, slash, _ = document_id.partition("/")
        while not slash and name not in self._known and "#" in name:
            name = name.rpartition("#")[0]
        return name if name in self._known else None


def location_of(path: Path) -> str:
    """A path as the suite keeps it; bytes in a name that are no text are told by their numbers."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def root_name(path: Path) -> str:
    """What a root is called where nobody gave it a name: its own name, which the top of a disk lacks."""
    return _CONTROL.sub("_", location_of(Path(path.name))) if path.name else "root"
