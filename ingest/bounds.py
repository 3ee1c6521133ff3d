"""Limits on how much of a file is read. Numbers that name no source are chosen by hand."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingBounds:
    """Limits of one ingest. A file that exceeds one fails with a reason, and the next file is read."""

    seconds: float = 120.0
    """Per document of a kind that a library parses."""
    file_bytes: int = 256 * 1024 * 1024
    """Per file that is read as a whole; JSON lines and CSV are streamed and have no such limit."""
    unpacked_bytes: int = 1024 * 1024 * 1024
    """Total that a packed file (docx, pptx, xlsx, epub) unpacks to."""
    ratio: int = 200
    """Of unpacked to packed bytes, of a `.gz` too, checked above `ratio_from_bytes`.

    Prose compresses 3-fold, sheets 10- to 30-fold; the maximum of deflate is 1,032.
    """
    ratio_from_bytes: int = 64 * 1024 * 1024
    entries: int = 20_000
    """Files in a packed file."""
    line_bytes: int = 16 * 1024 * 1024
    """Per line of JSON lines and CSV."""
    result_bytes: int = 64 * 1024 * 1024
    """Per document as the reading process hands it over: its text, structure and pictures."""
    text_bytes: int = 3_500_000
    """Per document's text, of the 4 MB that the contract allows; longer texts are divided."""
    attachments: int = 200
    """Per mail, including those of the mails attached to it."""
    depth: int = 4
    """Maximum depth of mails within mails."""
    original_bytes: int = 7 * 1024 * 1024
    """Of a PDF that goes with its document, so that its pages can be shown; with the text it fits in a message."""
    pictures: int = 100
    """Per document, of the 256 that the contract allows."""
    picture_bytes: int = 2 * 1024 * 1024
    """Per picture."""
    all_picture_bytes: int = 4 * 1024 * 1024
    """All pictures of a document; with its text they fit in one message of 8 MB."""
    least_pixels: int = 48
    """Minimum width and height of a picture, if they are known; smaller ones are ornaments."""
