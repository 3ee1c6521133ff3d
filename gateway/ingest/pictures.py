"""The pictures that a document names: bytes of files beside it, or urls."""

import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from gateway.ingest.documents import SourceImage

MAX_BYTES: Final = 4 * 1024 * 1024
"""Greatest picture that the contract takes."""


def read_pictures(document: Path, listed: Any) -> tuple[SourceImage, ...]:
    """The pictures of a list of {path | url, caption, width, height}; paths are relative to the document.

    Raises:
        ValueError: the list is none, or a picture of it is missing or too large; the message says which.
    """
    if listed is None:
        return ()
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise ValueError("must be a list of objects")
    return tuple(_picture(document, item) for item in listed)


def _picture(document: Path, item: Mapping[str, Any]) -> SourceImage:
    name = str(item.get("path") or "")
    url = str(item.get("url") or "")
    if not name and not url:
        raise ValueError("each needs a path or a url")
    return SourceImage(
        caption=str(item.get("caption") or ""),
        url=url,
        width=_pixels(item.get("width")),
        height=_pixels(item.get("height")),
        media_type=mimetypes.guess_type(name or url)[0] or "",
        data=_bytes(document.parent / name) if name else b"",
    )


def _pixels(value: Any) -> int:
    if value is None:
        return 0
    if not isinstance(value, int) or value < 0:
        raise ValueError("width and height must be whole numbers")
    return value


def _bytes(file: Path) -> bytes:
    try:
        data = file.read_bytes()
    except OSError:
        raise ValueError(f"{file.name} cannot be opened") from None
    if len(data) > MAX_BYTES:
        raise ValueError(f"{file.name} is larger than {MAX_BYTES} bytes")
    return data
