"""How much of a file is read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingBounds:
    """Bounds of one ingest. What exceeds one fails with a reason, and the next file is read."""

    seconds: float = 120.0
    """For a document of a kind that a library parses."""
    file_bytes: int = 256 * 1024 * 1024
    """Of a file that is read as a whole; JSON lines and CSV are streamed and have no such bound."""
    unpacked_bytes: int = 1024 * 1024 * 1024
    """Of all that a packed file (docx, pptx, xlsx, epub, gz) unpacks to."""
    ratio: int = 200
    """Of unpacked to packed bytes, where that is more than `ratio_from_bytes`. Prose packs 3-fold, sheets 10- to
    30-fold; deflate ends at 1,032."""
    ratio_from_bytes: int = 64 * 1024 * 1024
    entries: int = 20_000
    """Files in a packed file."""
    line_bytes: int = 16 * 1024 * 1024
    """Of a line of JSON lines."""
    text_bytes: int = 3_500_000
    """Of one document's text, of the 4 MB that the contract takes; longer ones are divided."""
    attachments: int = 200
    """Of a mail, with those in the mails attached to it."""
    depth: int = 4
    """How deep mails may lie in mails."""
    pictures: int = 100
    """Of a document, of the 256 that the contract takes."""
    picture_bytes: int = 2 * 1024 * 1024
    """Of one picture."""
    all_picture_bytes: int = 4 * 1024 * 1024
    """Of all pictures of a document; with its text they go in one message of 8 MB."""
    least_pixels: int = 48
    """Width and height of a picture, where they are known; smaller ones are ornaments."""
