"""The pictures that a document contains or refers to, and how many of them are kept. Reading files blocks."""

import mimetypes
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from ingest.bounds import ReadingBounds
from ingest.content import Content
from ingest.documents import SourceImage
from ingest.sources.opening import NotRegularError, open_regular

MAX_BYTES: Final = 4 * 1024 * 1024
"""Maximum size of a picture that the contract allows."""
MAX_CAPTION: Final = 4096
"""Maximum characters that the contract allows."""
FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP")
"""What browsers can show, as Pillow calls it."""


def picture(data: bytes, caption: str, width: int = 0, height: int = 0) -> SourceImage:
    """Build a picture from its bytes; its size is read from them if it is not given.

    The media type is empty if browsers cannot show it.
    """
    media_type, *size = _measured(data)
    return SourceImage(caption[:MAX_CAPTION], "", width or size[0], height or size[1], media_type, data)


def select_pictures(
    pictures: Iterable[SourceImage], bounds: ReadingBounds
) -> tuple[tuple[SourceImage, ...], dict[str, str]]:
    """Return the pictures that fit, without duplicates, and metadata on how many were too large or too many.

    Ornaments and pictures that browsers cannot show are left out silently.
    """
    selection: dict[bytes | str, SourceImage] = {}
    size = left_out = 0
    for image in pictures:
        key = image.data or image.url
        if key in selection or not _counts(image, bounds):
            continue
        too_large = len(image.data) > bounds.picture_bytes or size + len(image.data) > bounds.all_picture_bytes
        if too_large or len(selection) >= bounds.pictures:
            left_out += 1
            continue
        selection[key] = image
        size += len(image.data)
    return tuple(selection.values()), {"pictures_left_out": str(left_out)} if left_out else {}


def _counts(image: SourceImage, bounds: ReadingBounds) -> bool:
    if image.data and not image.media_type:
        return False
    sides = [side for side in (image.width, image.height) if side]
    return not sides or min(sides) >= bounds.least_pixels


def _measured(data: bytes) -> tuple[str, int, int]:
    """Media type, width and height; empty and 0 if browsers cannot show it."""
    import io

    from PIL import Image  # takes a tenth of a second, and only pictures need it

    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            return image.get_format_mimetype() or "", *image.size
    except Exception:
        return "", 0, 0


def lying_below(content: Content, url: str) -> bytes:
    """The bytes of a picture in the ingested folder; empty for any other path, and for one that is too large."""
    try:
        return _bytes(content, unquote(url.partition("?")[0].partition("#")[0]))
    except (OSError, ValueError):
        return b""


def stated_picture(content: Content, item: Mapping[str, Any]) -> SourceImage:
    """A picture that is stated as {path | url, caption, width, height}; the path is relative to the document.

    Raises:
        ValueError: it is missing, too large or outside the ingested folder; the message says which.
    """
    name, url, caption = (str(item.get(key) or "") for key in ("path", "url", "caption"))
    width, height = (item.get(key) or 0 for key in ("width", "height"))
    if not name and not url:
        raise ValueError("each needs a path or a url")
    if not all(isinstance(side, int) and side >= 0 for side in (width, height)):
        raise ValueError("width and height must be whole numbers")
    media_type = mimetypes.guess_type(name or url)[0] or ""
    return SourceImage(caption, url, width, height, media_type, _bytes(content, name) if name else b"")


def _bytes(content: Content, name: str) -> bytes:
    """The bytes of a picture by its path from the document.

    Raises:
        ValueError: it is missing, too large, no regular file, or outside the ingested folder; the message says which.
    """
    folder = content.picture_folder
    if content.file is None or folder is None:
        raise ValueError(f"{name}: a relative path needs a document that is a file")
    try:
        path = (content.file.parent / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise ValueError(f"{name} is outside the ingested folder")
        with open_regular(path, links=False) as file:
            data = file.read(MAX_BYTES + 1)
    except NotRegularError:
        raise ValueError(f"{path.name} is not a regular file") from None
    except (OSError, RuntimeError):  # RuntimeError: a circle of links
        raise ValueError(f"{Path(name).name} cannot be opened") from None
    if len(data) > MAX_BYTES:
        raise ValueError(f"{path.name} is larger than {MAX_BYTES} bytes")
    return data
