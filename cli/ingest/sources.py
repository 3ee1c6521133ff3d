"""Documents to be sent, with vectors if there are any; files are read in an isolated process, never here."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from cli.connection.gateway_connection import CommandError
from ingest.content import BrokenContent, Content
from ingest.detection.kinds import LINES, kind_of
from ingest.documents import Omission, ParsedDocument, PassedOver, ReadResult, Unreadable
from ingest.isolation import IsolatedReader
from ingest.sources.roots import Roots
from ingest.sources.walking import NamedFile, walk
from ingest.wire import MAX_BYTES, TOO_LARGE, UNSENDABLE, document_of
from parley.retrieve.v1 import corpus_pb2

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Item:
    """A document ready to be sent, and its origin."""

    where: str
    """A file, a part of it, or a url."""
    line: int | None
    """From 1; None if the file is one document."""
    document: corpus_pb2.Document
    stored_passages: int = 0
    """Its passages in the collection, if the same document is known to be stored there; else 0."""
    omissions: tuple[Omission, ...] = ()
    """What of its file is not in its text."""


def ignore(what: object) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How documents are ingested."""

    whole: bool = False
    vectors: "NDArray[np.floating] | None" = None
    """One row per line of the only file, float16 or float32."""
    model: str = ""
    """The model that made the vectors."""
    principals: tuple[str, ...] = ()
    """Principals of documents that do not name their own."""
    began: Callable[[str], None] = ignore
    """Called with each file before it is read."""


ReadItem = Item | Unreadable | PassedOver
"""A document, or the reason why there is none."""


def read(paths: Sequence[Path], roots: Roots, options: IngestOptions) -> Iterator[ReadItem]:
    """Yield every document of the files, and every file or line that gives none; folders are walked lazily."""
    with closing(IsolatedReader()) as reader:
        for file in walk(paths, roots):
            if isinstance(file, PassedOver):
                yield file
                continue
            content = content_of(file)
            options.began(content.where)
            yield from items(content.where, reader.read(content), options)


def content_of(file: NamedFile) -> Content:
    """A file as it is read."""
    return Content(str(file.path), file.path.name, file.document_id, file=file.path, folder=file.folder)


def items(where: str, results: Iterable[ReadResult], options: IngestOptions) -> Iterator[ReadItem]:
    """Yield what a file or page gave, ready to be sent."""
    for result in results:
        yield _item(where, result, options) if isinstance(result, ParsedDocument) else result


def vector_first(items: Iterable[ReadItem]) -> Iterator[ReadItem]:
    """Yield the same items, the first document with a vector before all others: it shows whether the vectors fit."""
    rest = iter(items)
    before: list[ReadItem] = []
    for item in rest:
        if isinstance(item, Item) and item.document.vector:
            yield item
            break
        before.append(item)
    yield from chain(before, rest)


def open_vectors(path: Path, lines: Path) -> "NDArray[np.floating]":
    """Return the rows of a `.npy` file, one for each line of a JSON lines file.

    Raises:
        CommandError: the file cannot be read, or the number of rows differs.
    """
    from ingest.vectors import BadVectorsError, check_rows, read_vectors  # imports numpy, which takes a while

    try:
        vectors = read_vectors(path)
        check_rows(vectors, count_lines(lines), lines.name)
    except BadVectorsError as error:
        raise CommandError(f"--vectors: {error}") from None
    return vectors


def count_lines(path: Path) -> int:
    """Count the lines up to the last one that is not blank.

    Raises:
        CommandError: the file cannot be opened.
    """
    try:
        with Content(str(path), path.name, "", file=path).open() as lines:
            return max((number for number, line in enumerate(lines, start=1) if line.strip()), default=0)
    except BrokenContent as error:
        raise CommandError(f"{path}: {error}") from None


def count_documents(paths: Sequence[Path]) -> int:
    """The approximate number of documents in the files: blank lines count, and a missing file counts as one."""
    files = (file.path for file in walk(paths, Roots()) if isinstance(file, NamedFile))
    return sum(count_lines(path) if kind_of(path) in LINES and path.is_file() else 1 for path in files)


def _item(where: str, source: ParsedDocument, options: IngestOptions) -> Item | Unreadable:
    line = None if source.row is None else source.row + 1
    try:
        document = _document(source, options)
    except ValueError:  # an unpaired surrogate, or a number out of range
        return Unreadable(where, UNSENDABLE, line)
    if document.ByteSize() > MAX_BYTES:
        return Unreadable(where, TOO_LARGE, line)
    return Item(where, line, document, omissions=source.omissions)


def _document(source: ParsedDocument, options: IngestOptions) -> corpus_pb2.Document:
    document = document_of(source, options.principals, options.whole)
    vector: Sequence[float] = source.vector
    if options.vectors is not None and source.row is not None:
        vector = options.vectors[source.row].tolist()
    if vector and source.text.strip():  # an empty text gives no passage, so its vector is skipped
        document.vector.extend(vector)
        document.vector_model = options.model
    return document
