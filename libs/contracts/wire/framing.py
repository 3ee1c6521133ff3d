"""Several byte strings as one, each preceded by its length."""

from collections.abc import Sequence
from typing import Final

LENGTH_BYTES: Final = 4


def join(parts: Sequence[bytes]) -> bytes:
    """Return the parts as one string."""
    return b"".join(len(part).to_bytes(LENGTH_BYTES, "big") + part for part in parts)


def split(content: bytes) -> list[bytes]:
    """Return the parts of a joined string."""
    parts, at = [], 0
    while at < len(content):
        start = at + LENGTH_BYTES
        at = start + int.from_bytes(content[at:start], "big")
        parts.append(content[start:at])
    return parts
