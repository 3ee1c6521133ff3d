"""What office files have in common: the properties that they state, and how their blocks are joined."""

from collections.abc import Iterable
from typing import Any

from services.text.tables import ROW_MARK
from services.web.stamps import moment_stamp


def stated(properties: Any) -> tuple[str, str, dict[str, str]]:
    """Title, date of the last change (else of making) and author of a file's core properties."""
    author = properties.author if hasattr(properties, "author") else properties.creator
    date = moment_stamp(properties.modified) or moment_stamp(properties.created)
    return " ".join((properties.title or "").split()), date, {"author": author} if author else {}


def joined(blocks: Iterable[str]) -> str:
    """Blocks parted by blank lines; list items and rows that follow each other by line ends."""
    parts: list[str] = []
    in_list = False
    for block in blocks:
        if not block:
            continue
        item = block.startswith(ROW_MARK)
        parts += [("\n" if item and in_list else "\n\n") if parts else "", block]
        in_list = item
    return "".join(parts)
