"""Which files a user's paths stand for, and what their documents are called."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from gateway.ingest.kinds import kind_of
from gateway.ingest.readers import READERS


def walk(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Files with the ids of their documents, in order of name.

    A file that was named is always given, whatever its kind; of a folder only the kinds that can be read, hidden files
    left out. A file's id is its name, and its path from the folder's own name on when it was found in a folder.
    """
    for path in paths:
        if not path.is_dir():
            yield path, path.name
            continue
        root = path.resolve()
        for file in sorted(root.rglob("*")):
            if file.is_file() and kind_of(file) in READERS and not _hidden(file.relative_to(root)):
                yield file, f"{root.name}/{file.relative_to(root).as_posix()}"


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
