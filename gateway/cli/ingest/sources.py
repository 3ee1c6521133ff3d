"""Documents as they are sent: read from files, with their vectors where a file brings some."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gateway.cli.door import CommandError
from gateway.ingest.documents import SourceDocument, Unreadable
from gateway.ingest.kinds import UNPACKING_ERRORS, kind_of, open_text
from gateway.ingest.readers import read_file
from gateway.ingest.walking import walk
from parley.retrieve.v1 import corpus_pb2

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_BYTES: Final = 8 * 1024 * 1024 - 1024
"""Greatest document with its pictures, in bytes: what a server takes as one message, less the room around it."""
LINES: Final = ".jsonl"


@dataclass(frozen=True, slots=True)
class Item:
    """A document ready to be sent, and where it stands."""

    path: Path
    line: int | None
    """From 1; None where the file is one document."""
    document: corpus_pb2.Document


@dataclass(frozen=True, slots=True)
class Manner:
    """How documents are taken."""

    whole: bool = False
    vectors: "NDArray[np.floating] | None" = None
    """One row a line of the only file, float16 or float32."""
    model: str = ""
    """Which made the vectors."""


def files_of(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    """Files and the ids that they give their documents; folders are walked."""
    return list(walk(paths))


def read(files: Iterable[tuple[Path, str]], manner: Manner) -> Iterator[Item | Unreadable]:
    """Every document of the files, and every file or line that gives none."""
    for path, name in files:
        for found in read_file(path, name):
            yield found if isinstance(found, Unreadable) else _item(path, found, manner)


def vector_first(items: Iterable[Item | Unreadable]) -> Iterator[Item | Unreadable]:
    """The same, but for the first document with a vector, which goes ahead of all: it shows whether they fit."""
    rest = iter(items)
    before: list[Item | Unreadable] = []
    for found in rest:
        if isinstance(found, Item) and found.document.vector:
            yield found
            break
        before.append(found)
    yield from chain(before, rest)


def open_vectors(path: Path, lines: Path) -> "NDArray[np.floating]":
    """The rows of a `.npy` file, one for each line of a JSON lines file.

    Raises:
        CommandError: it cannot be read, or has another number of rows.
    """
    from gateway.ingest.vectors import BadVectorsError, check_rows, read_vectors  # numpy takes a while to import

    try:
        vectors = read_vectors(path)
        check_rows(vectors, count_lines(lines), lines.name)
    except BadVectorsError as error:
        raise CommandError(f"--vectors: {error}") from None
    return vectors


def count_lines(path: Path) -> int:
    """Lines up to the last that is not blank.

    Raises:
        CommandError: the file cannot be opened.
    """
    try:
        with open_text(path, errors="replace") as lines:
            return max((number for number, line in enumerate(lines, start=1) if line.strip()), default=0)
    except (OSError, *UNPACKING_ERRORS) as error:
        raise CommandError(f"{path}: {getattr(error, 'strerror', None) or 'cannot be unpacked'}") from None


def count_documents(files: Iterable[tuple[Path, str]]) -> int:
    """About how many documents the files hold: blank lines count, what cannot be opened is one."""
    return sum(count_lines(path) if kind_of(path) == LINES and path.is_file() else 1 for path, _ in files)


def _item(path: Path, found: SourceDocument, manner: Manner) -> Item | Unreadable:
    line = found.row + 1 if kind_of(path) == LINES else None
    try:
        document = _document(found, manner)
    except ValueError:  # half a surrogate pair, or a number out of its range
        return Unreadable(path, "holds a value that cannot be sent", line)
    if document.ByteSize() > MAX_BYTES:
        return Unreadable(path, f"is larger than {MAX_BYTES:,} bytes with its pictures", line)
    return Item(path, line, document)


def _document(found: SourceDocument, manner: Manner) -> corpus_pb2.Document:
    document = corpus_pb2.Document(
        document_id=found.document_id,
        title=found.title,
        text=found.text,
        url=found.url,
        date=found.date,
        source=found.source,
        metadata=found.metadata,
        principals=found.principals,
        whole=manner.whole,
        images=[
            corpus_pb2.DocumentImage(
                caption=image.caption,
                url=image.url,
                width=image.width,
                height=image.height,
                media_type=image.media_type,
                data=image.data,
            )
            for image in found.images
        ],
    )
    vector = manner.vectors[found.row].tolist() if manner.vectors is not None else found.vector
    if vector and found.text.strip():  # an empty text gives no passage, and its vector is skipped with it
        document.vector.extend(vector)
        document.vector_model = manner.model
    return document
