"""Decode bytes of any encoding to text. CPU work alone."""

import codecs
import re
from typing import Final

from ingest.content import BrokenContent

MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks; of those that begin alike, the longer ones come first."""
DETECTED: Final = 256 * 1024
"""Bytes that are enough to detect an encoding (taste)."""
NO_TEXT: Final = "is not text in a known encoding"
FOREIGN: Final = 0.02
"""Share of control characters above which bytes are not text (taste)."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")  # \ufffd marks undecodable bytes


def decode(data: bytes, stated_encoding: str = "") -> str:
    """Return the text, with "\\n" as line ends.

    A byte order mark decides alone; otherwise the first that fits of UTF-8, the stated encoding and the detected one.

    Raises:
        BrokenContent: the bytes are not text.
    """
    mark_encoding = encoding_of(data)
    encodings = (mark_encoding,) if mark_encoding else ("utf-8", stated_encoding)
    text = next((text for encoding in encodings if (text := _attempt(data, encoding)) is not None), None)
    if text is None and not mark_encoding:
        text = _attempt(data, _looks_like(data))
    if text is None or _is_binary(text):
        raise BrokenContent(NO_TEXT)
    return clean(text)


def encoding_of(data: bytes) -> str:
    """The encoding that a byte order mark indicates; empty without one."""
    return next((encoding for mark, encoding in MARKS if data.startswith(mark)), "")


def sample_encoding(sample: bytes) -> str:
    """Return an encoding for a stream from its first bytes.

    Raises:
        BrokenContent: the bytes are not text.
    """
    if mark_encoding := encoding_of(sample):
        return mark_encoding
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(sample)  # a character cut off at the end is not an error
    except UnicodeDecodeError:
        return _looks_like(sample)
    return "utf-8"


def clean(text: str) -> str:
    """Return the text with "\\n" as its only line end, and without NUL."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _is_binary(text: str) -> bool:
    return len(_CONTROL.findall(text, 0, DETECTED)) > FOREIGN * min(len(text), DETECTED)


def _attempt(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _looks_like(data: bytes) -> str:
    from charset_normalizer import from_bytes  # only needed if the simple ways failed

    best = from_bytes(data[:DETECTED]).best()
    if best is None:
        raise BrokenContent(NO_TEXT)
    return best.encoding
