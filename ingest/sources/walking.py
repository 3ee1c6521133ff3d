"""Which files a user's paths refer to, and the ids of their documents. Blocks on the disk.

Of files whose names say no kind, the first bytes are read: text is taken, whatever it is called.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.content import BrokenContent, Content
from ingest.detection.kinds import FOR_PROGRAMS, PICTURES, kind_of
from ingest.detection.sniffing import is_text
from ingest.documents import NO_KIND, PassedOver
from ingest.formats.known import READERS
from ingest.sources.roots import Roots


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file to read."""

    path: Path
    document_id: str
    folder: Path
    """The user's path that led to it, or its own folder if that is the file itself; resolved."""


def walk(paths: Sequence[Path], roots: Roots) -> Iterator[NamedFile | PassedOver]:
    """Yield files with the ids of their documents, sorted by name within each folder, and found lazily.

    A file that was named is always yielded, whatever its kind; from a folder only readable kinds and text are, and
    hidden files and pictures are skipped silently, as documents bring their pictures. Links to files within the folder
    are followed, links out of it and links to folders are not. A file with several names is yielded once. Its id is its
    path below the deepest root that contains it; if none does, its link's path below the root of the link.
    """
    visited = set[Path]()
    for path in paths:
        folder = path.resolve() if path.is_dir() else None
        for file in _files(folder) if folder else (path,):
            if isinstance(file, PassedOver):
                yield file
                continue
            real = file.resolve()
            if folder and not real.is_relative_to(folder):
                yield PassedOver(str(file), "is a link out of the folder, which is not followed")
                continue
            if real not in visited:
                visited.add(real)
                document_id = roots.id_of(real) or roots.id_of(file.absolute()) or file.name
                yield NamedFile(file, document_id, folder or file.parent.resolve())
            elif file.is_symlink():
                yield PassedOver(str(file), f"is the same file as {real}")


def holds_files(path: Path) -> bool:
    """Whether there is anything to read: an existing file, or a file of a readable kind in a folder."""
    if not path.is_dir():
        return path.exists()
    return any(isinstance(file, Path) for file in _files(path.resolve()))


def _files(folder: Path) -> Iterator[Path | PassedOver]:
    """Yield the readable files below a folder, and what is skipped."""
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        yield PassedOver(str(folder), f"cannot be listed: {error.strerror or 'it is no longer a folder'}")
        return
    for entry in entries:
        if not entry.name.startswith("."):
            try:
                yield from _entry(entry)
            except OSError as error:
                yield PassedOver(entry.path, f"cannot be read: {error.strerror}")


def _entry(entry: "os.DirEntry[str]") -> Iterator[Path | PassedOver]:
    if entry.is_dir(follow_symlinks=False):
        yield from _files(Path(entry.path))
    elif entry.is_dir():
        yield PassedOver(entry.path, "is a link to a folder, which is not followed")
    elif not entry.is_file():
        yield PassedOver(entry.path, "does not lead to a file")
    elif kind_of(Path(entry.name)) in PICTURES:
        return
    elif not _is_readable(Path(entry.path)):
        yield PassedOver(entry.path, NO_KIND)
    else:
        yield Path(entry.path)


def _is_readable(file: Path) -> bool:
    """Whether a file's name says a readable kind, or none that is only for programs, and it begins with text."""
    if kind_of(file) in READERS or kind_of(file) in FOR_PROGRAMS:
        return kind_of(file) in READERS
    try:
        return is_text(Content(str(file), file.name, file.name, file=file).head())
    except BrokenContent:  # reading it will say why
        return True
