"""The ids of files in a collection, by its roots, the folders and files that filled it; pure, by their paths alone."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x1f/]")


class Roots:
    """The roots of a collection, on this machine and on others."""

    def __init__(self, prefixes: Mapping[str, str] | None = None) -> None:
        """Take the prefix of ids by each root's resolved path, as `location_of` returns it."""
        self._prefixes = dict(prefixes or {})
        self._known = frozenset(self._prefixes.values())

    def id_of(self, file: Path) -> str | None:
        """The id of a file or folder: the deepest root's prefix, and the path below that root; None outside all roots.

        Args:
            file: absolute. Links in it are not resolved: resolve it first if they should be.
        """
        for folder in (file, *file.parents):
            prefix = self._prefixes.get(location_of(folder))
            if prefix is not None:
                return "/".join((prefix, *file.parts[len(folder.parts) :]))
        return None

    def inside(self, folder: Path) -> dict[str, Path]:
        """The roots below a folder: the path of each, by its id prefix."""
        above = f"{location_of(folder).rstrip('/')}/"
        return {
            prefix: Path(location)
            for location, prefix in self._prefixes.items()
            if location.startswith(above) and location != above
        }

    def owner(self, document_id: str) -> str | None:
        """The root's prefix at the start of a document's id; None if it belongs to no root.

        Below a folder, ids continue with "/". Ids without one belong to a single file, and continue with "#" or not at
        all.
        """
        name, slash, _ = document_id.partition("/")
        while not slash and name not in self._known and "#" in name:
            name = name.rpartition("#")[0]
        return name if name in self._known else None


def location_of(path: Path) -> str:
    """A path as the suite stores it; bytes in a name that are not text are escaped."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def root_name(path: Path) -> str:
    """The default name of a root: its own name, which the root of a disk lacks."""
    return _CONTROL.sub("_", location_of(Path(path.name))) if path.name else "root"
