"""Find the reader of a file by its bytes: its name may be wrong, or say nothing. Blocks on the disk."""

import re
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from ingest.content import BrokenContent, Content
from ingest.detection.charsets import FOREIGN, encoding_of
from ingest.detection.kinds import TEXT
from ingest.reader import Reader, Sample

OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ARCHIVE: Final = b"PK\x03\x04"  # first bytes of zip archives, as above of Office before 2007
_CONTROL: Final = re.compile(rb"[\x01-\x06\x0e-\x1a\x1c-\x1f\x7f]")  # without \x1b, which colours logs


def detect(content: Content, readers: Sequence[Reader]) -> Reader | None:
    """The reader of a content: by its bytes, else by its host, else by its name; None if none of them reads it.

    Raises:
        BrokenContent: the bytes contradict the name and are of no kind that can be read, or the file cannot be opened.
    """
    sample = _sample(content)
    if reader := _detecting_reader(sample, (reader for reader in readers if reader.format.binary)):
        return reader
    if sample.head.startswith(OLD_OFFICE):
        raise BrokenContent(
            "is encrypted, or in the old binary format: save it as docx, xlsx or pptx without a password"
        )
    if sample.head.startswith(ARCHIVE):
        return None
    by_name = next((reader for reader in readers if content.kind in reader.format.kinds), None)
    if by_name is not None and by_name.format.binary:
        raise BrokenContent(f"is not in the {content.kind[1:]} format, despite its name")
    by_media_type = next((reader for reader in readers if content.media_type in reader.format.media_types), None)
    return by_media_type or _detecting_reader(sample, readers) or by_name or _text_reader(content, sample, readers)


def _text_reader(content: Content, sample: Sample, readers: Sequence[Reader]) -> Reader | None:
    """The reader of plain text, for text of which neither host nor name says another kind."""
    if content.media_type not in ("", "application/octet-stream") or not is_text(sample.head):
        return None
    return next((reader for reader in readers if TEXT in reader.format.kinds), None)


def is_text(head: bytes) -> bool:
    """Whether the first bytes of a file are text: a byte order mark, or no NUL and hardly any control characters."""
    if encoding_of(head):
        return True
    return bool(head) and b"\0" not in head and len(_CONTROL.findall(head)) <= FOREIGN * len(head)


def _detecting_reader(sample: Sample, readers: Iterable[Reader]) -> Reader | None:
    return next((reader for reader in readers if reader.detects(sample)), None)


def _sample(content: Content) -> Sample:
    head = content.head()
    packed = head.startswith(ARCHIVE)
    parts = _parts(content) if packed else _streams(content) if head.startswith(OLD_OFFICE) else frozenset()
    return Sample(head, parts, content.kind)


def _streams(content: Content) -> frozenset[str]:
    import olefile

    with suppress(Exception), olefile.OleFileIO(content.read()) as file:  # it raises many kinds for damaged files
        return frozenset("/".join(path) for path in file.listdir())
    return frozenset()


def _parts(content: Content) -> frozenset[str]:
    with content.open() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                return frozenset(archive.namelist())
        except (zipfile.BadZipFile, ValueError, NotImplementedError):
            # zipfile raises NotImplementedError for a version of the format that it does not support.
            raise BrokenContent("is damaged: its list of parts cannot be read") from None
