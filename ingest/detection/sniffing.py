"""Find the format of a file by its bytes: its name may be wrong, or say nothing. Blocks on the disk."""

import re
import zipfile
from contextlib import suppress
from typing import Final

from ingest.content import BrokenContent, Content
from ingest.detection.charsets import FOREIGN, encoding_of
from ingest.formats.known import FORMATS, READERS, TEXT, Format

OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ARCHIVE: Final = b"PK\x03\x04"  # first bytes of zip archives, as above of Office before 2007
_CONTROL: Final = re.compile(rb"[\x01-\x06\x0e-\x1a\x1c-\x1f\x7f]")  # without \x1b, which colours logs


def detect(content: Content) -> Format | None:
    """The format of a content: by its bytes, else by its host, its name, its markup; None if it is not known.

    Raises:
        BrokenContent: the bytes contradict the name and are of no kind that can be read, or the file cannot be opened.
    """
    head = content.head()
    parts = parts_of(content)
    detected = next((form for form in FORMATS if form.detects(head, parts)), None)
    if detected is not None and detected.binary:
        return detected
    if head.startswith(OLD_OFFICE):
        raise BrokenContent(
            "is encrypted, or in the old binary format: save it as docx, xlsx or pptx without a password"
        )
    if head.startswith(ARCHIVE):
        return None
    by_name = READERS.get(content.kind)
    if by_name is not None and by_name.binary:
        raise BrokenContent(f"is not in the {content.kind[1:]} format, despite its name")
    by_media_type = next((form for form in FORMATS if content.media_type in form.media_types), None)
    is_untold = content.media_type in ("", "application/octet-stream") and is_text(head)
    return by_media_type or by_name or detected or (TEXT if is_untold else None)


def is_text(head: bytes) -> bool:
    """Whether the first bytes of a file are text: a byte order mark, or no NUL and hardly any control characters."""
    if encoding_of(head):
        return True
    return bool(head) and b"\0" not in head and len(_CONTROL.findall(head)) <= FOREIGN * len(head)


def parts_of(content: Content) -> frozenset[str]:
    """The names of the parts if the content is a zip archive or a compound file; else none.

    Raises:
        BrokenContent: the content is damaged, or cannot be opened.
    """
    head = content.head()
    if head.startswith(OLD_OFFICE):
        import olefile

        with suppress(Exception), olefile.OleFileIO(content.read()) as file:  # it raises many kinds for damaged files
            return frozenset("/".join(path) for path in file.listdir())
    if not head.startswith(ARCHIVE):
        return frozenset()
    with content.open() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                return frozenset(archive.namelist())
        except (zipfile.BadZipFile, ValueError, NotImplementedError):
            # zipfile raises NotImplementedError for a version of the format that it does not support.
            raise BrokenContent("is damaged: its list of parts cannot be read") from None
