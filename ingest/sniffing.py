"""Find the reader of a file by its bytes: its name may be wrong, or say nothing."""

import zipfile
from collections.abc import Iterable, Sequence
from typing import Final

from ingest.content import Broken, Content
from ingest.reader import Reader, Sample

OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
RICH_TEXT: Final = b"{\\rtf"
ARCHIVE: Final = b"PK\x03\x04"


def detect(content: Content, readers: Sequence[Reader]) -> Reader | None:
    """The reader of a content: by its bytes, else by its host, else by its name; None if none of them reads it.

    Raises:
        Broken: the bytes contradict the name and are of no kind that can be read, or the file cannot be opened.
    """
    sample = _sample(content)
    if found := _detecting(sample, (reader for reader in readers if reader.format.binary)):
        return found
    if sample.head.startswith(ARCHIVE):
        return None
    named = next((reader for reader in readers if content.kind in reader.format.kinds), None)
    if named is not None and named.format.binary:
        raise Broken(f"is no {content.kind[1:]}, whatever its name says")
    stated = next((reader for reader in readers if content.media_type in reader.format.media_types), None)
    return stated or _detecting(sample, readers) or named


def _detecting(sample: Sample, readers: Iterable[Reader]) -> Reader | None:
    return next((reader for reader in readers if reader.detects(sample)), None)


def _sample(content: Content) -> Sample:
    head = content.head()
    if head.startswith(OLD_OFFICE):
        raise Broken("is encrypted, or in the old binary form: save it as docx, xlsx or pptx without a password")
    if head.startswith(RICH_TEXT):
        raise Broken("is Rich Text: save it as docx")
    return Sample(head, _parts(content) if head.startswith(ARCHIVE) else frozenset(), content.kind)


def _parts(content: Content) -> frozenset[str]:
    with content.open() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                return frozenset(archive.namelist())
        except (zipfile.BadZipFile, ValueError, NotImplementedError):
            # zipfile raises NotImplementedError for a version of the format that it does not support.
            raise Broken("is damaged: its list of parts cannot be read") from None
