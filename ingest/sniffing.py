"""Detect the kind of a file from its bytes: its name may be wrong, or say nothing."""

import re
import zipfile
from typing import Final

from ingest.content import BrokenContent, Content

PAGES: Final = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.DOTALL)
PARTS: Final = {"word/document.xml": ".docx", "ppt/presentation.xml": ".pptx", "xl/workbook.xml": ".xlsx"}
"""The part that identifies each kind of office file."""
MEDIA_TYPES: Final = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "message/rfc822": ".eml",
    "application/x-ndjson": ".jsonl",
    "application/jsonl": ".jsonl",
}
BINARY: Final = frozenset({".pdf", ".docx", ".pptx", ".xlsx", ".xlsm", ".epub"})
"""Kinds that the bytes must confirm."""
OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def kind_by_bytes(content: Content) -> str:
    """The kind of a file: by its bytes, else by its host, else by its name.

    Raises:
        BrokenContent: the bytes contradict the name and are of no kind that can be read, or the file cannot be opened.
    """
    head = content.head()
    if head.startswith(OLD_OFFICE):
        raise BrokenContent(
            "is encrypted, or in the old binary format: save it as docx, xlsx or pptx without a password"
        )
    if head.startswith(b"{\\rtf"):
        raise BrokenContent("is Rich Text: save it as docx")
    kind = ".pdf" if b"%PDF-" in head[:1024] else _packed_kind(content) if head.startswith(b"PK\x03\x04") else ""
    if kind:
        return kind if kind != ".xlsx" or content.kind != ".xlsm" else ".xlsm"
    if content.kind in BINARY:
        raise BrokenContent(f"is not in the {content.kind[1:]} format, despite its name")
    return MEDIA_TYPES.get(content.media_type) or _textual_kind(content, head)


def _textual_kind(content: Content, head: bytes) -> str:
    kind = content.kind
    return ".html" if PAGES.match(head) and kind not in (".md", ".txt", ".eml", ".csv", ".jsonl") else kind


def _packed_kind(content: Content) -> str:
    with content.open() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                names = set(archive.namelist())
        except (zipfile.BadZipFile, ValueError, NotImplementedError):
            # zipfile raises NotImplementedError for a version of the format that it does not support.
            raise BrokenContent("is damaged: its list of parts cannot be read") from None
    if "META-INF/container.xml" in names:
        return ".epub"
    return next((kind for part, kind in PARTS.items() if part in names), ".zip")
