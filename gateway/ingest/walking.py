"""Which files a user's paths stand for, and what their documents are called."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from gateway.ingest.kinds import kind_of
from gateway.ingest.readers import READERS


def walk(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Files with the ids of their documents, in order of name within each folder, found while they are asked for.

    A file that was named is always given, whatever its kind; of a folder only the kinds that can be read, hidden files
    left out. A file's id is its name, and its path from the folder's own name on when it was found in a folder. Links
    to files are followed, those to folders are not.
    """
    for path in paths:
        if not path.is_dir():
            yield path, path.name
            continue
        root = path.resolve()
        for file in _files(root):
            yield file, f"{root.name}/{file.relative_to(root).as_posix()}"


def _files(folder: Path) -> Iterator[Path]:
    """The readable files below a folder; a folder that may not be looked into counts as empty."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path))
        elif entry.is_file() and kind_of(Path(entry.name)) in READERS:
            yield Path(entry.path)
