"""The encoding that a page declares for itself, by a pure search in its first bytes."""

import re
from typing import Final

DECLARED: Final = 2048
"""Bytes in which a declared encoding is searched for; HTML requires it within 1,024.

Names have at most 40 characters by IANA; the other lengths keep the search of a damaged page short (taste)."""
_META: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.I)
_XML: Final = re.compile(rb"\A\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{1,40})", re.I)


def declared_charset(data: bytes) -> str:
    """The encoding by the page's XML declaration, else by its first `<meta charset>`; empty if it declares none."""
    match = _XML.search(data[:DECLARED]) or _META.search(data[:DECLARED])
    return match[1].decode("ascii") if match else ""
