"""What is ingested: documents from paths, whose reading blocks, and bytes; and the acknowledgement of each."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from parley.retrieve.v1 import corpus_pb2

TEXT_SUFFIXES: Final = frozenset({".txt", ".text", ".md", ".markdown", ".rst"})
"""Files that are documents as they are; their structure is read by the suite, CommonMark or plain."""

Document = corpus_pb2.Document
Reader = Callable[[Path, str], Iterable[Document]]
"""Reads the documents of a file, given the id that its name gives. `read_text` is one."""


class UnreadableFileError(ValueError):
    """A file that gives no document."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The acknowledgement of a document: it is stored, or failed for a reason; or it is under way."""

    document_id: str
    status: str
    """`added`, `replaced`, `unchanged`, `empty`, `failed`, or `under_way`, which is progress only."""
    passages: int
    """Number of its passages; while under way the number finished so far."""
    reason: str = ""
    """Of a failure: a name of ErrorReason without its prefix."""
    description: str = ""

    @property
    def is_final(self) -> bool:
        """Whether it is an acknowledgement, not progress."""
        return self.status != "under_way"


def receipt_of(message: Any) -> Receipt:
    """An IngestResponse."""
    status = status_name(message.status)
    return Receipt(message.document_id, status, message.passages, message.reason, message.description)


def status_name(value: Any) -> str:
    """An IngestStatus in small letters."""
    return corpus_pb2.IngestStatus.Name(value).removeprefix("INGEST_STATUS_").lower()


def read_text(path: Path, document_id: str) -> Iterator[Document]:
    """The document of a text or Markdown file.

    Raises:
        UnreadableFileError: it is of another kind, or not UTF-8.
        OSError: it cannot be read.
    """
    if path.suffix.lower() not in TEXT_SUFFIXES:
        raise UnreadableFileError(f"{path} is no text file; ingest it with `parley ingest`, or give a reader")
    yield document_from_bytes(document_id, path.read_bytes(), path.stem)


def document_from_bytes(document_id: str, content: bytes, title: str = "") -> Document:
    """The document of a text or Markdown file's bytes.

    Raises:
        UnreadableFileError: they are not UTF-8.
    """
    try:
        return Document(document_id=document_id, title=title, text=content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UnreadableFileError(f"{document_id} is not UTF-8") from None


def documents_of(
    sources: Iterable[Path | str | Document], reader: Reader = read_text, principals: Iterable[str] = ()
) -> Iterator[Document]:
    """The documents of files and folders, lazily, with those that are documents already.

    A file's id is its name; within a folder it is the folder's name and the path below it. In folders, hidden files are
    left out, and so are files of kinds that `read_text` does not know if that is the reader.

    Args:
        sources: paths, and documents.
        reader: reads each file.
        principals: who may see those that do not say so themselves; nobody named: everybody.

    Raises:
        UnreadableFileError: see the reader.
        OSError: a file or folder cannot be read.
    """
    names = tuple(principals)
    for source in sources:
        for document in [source] if isinstance(source, Document) else _documents_below(Path(source), reader):
            if names and not document.principals:
                own, document = document, Document(principals=names)
                document.MergeFrom(own)
            yield document


def _documents_below(path: Path, reader: Reader) -> Iterator[Document]:
    if not path.is_dir():
        yield from reader(path, path.name)
        return
    root = path.resolve()
    for file in sorted(_files_below(root)):
        if file.is_file() and (reader is not read_text or file.suffix.lower() in TEXT_SUFFIXES):
            yield from reader(file, f"{root.name}/{file.relative_to(root).as_posix()}")


def _files_below(root: Path) -> Iterator[Path]:
    """The files of a folder and its folders, but hidden ones; raises OSError for a folder that cannot be read."""

    def fail(error: OSError) -> None:
        raise error

    for folder, folders, names in os.walk(root, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(folder, name) for name in names if not name.startswith("."))


class IngestRequests(Iterator[corpus_pb2.IngestRequest]):
    """The messages of an ingest. What cannot be read ends them; `check` raises it after the acknowledgements."""

    def __init__(self, documents: Iterable[Document], collection: str) -> None:
        self._documents = iter(documents)
        self._header: corpus_pb2.IngestHeader | None = corpus_pb2.IngestHeader(collection=collection, progress=True)
        self._failure: Exception | None = None

    def __next__(self) -> corpus_pb2.IngestRequest:
        if self._header is not None:
            header, self._header = self._header, None
            return corpus_pb2.IngestRequest(header=header)
        try:
            return corpus_pb2.IngestRequest(document=next(self._documents))
        except StopIteration:
            raise
        except Exception as error:
            self._failure = error
            raise StopIteration from None

    async def off_the_loop(self) -> AsyncIterator[corpus_pb2.IngestRequest]:
        """The messages, read in a thread: files take time."""
        while (request := await asyncio.to_thread(next, self, None)) is not None:
            yield request

    def check(self) -> None:
        """Raise what could not be read."""
        if self._failure is not None:
            raise self._failure
