"""Passages that were written or read of late: one is met many times in a turn, and again in the turns that follow.

A turn's passages go from the search to the gateway, to the answer and back in events and in what is kept. Read from the
same bytes they are the same object, and the same object is written as the same bytes.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from libs.contracts.evidence import Passage

KEPT: Final = 2048
LONGEST: Final = 16_384
"""Bytes of such a passage at most; a longer one is written and read each time."""


def is_kept(value_type: type[Any]) -> bool:
    """Whether values of a type are met so often: a passage is, and takes the most of what is sent."""
    return value_type is Passage


def reading_once(read: Callable[[Any], Any], message_type: type[Any]) -> Callable[[Any], Any]:
    """As `read`, which gives the same for equal messages; who gets a value leaves it as it is."""

    @lru_cache(maxsize=KEPT)
    def read_bytes(content: bytes) -> Any:
        return read(message_type.FromString(content))

    def read_message(message: Any) -> Any:
        content = message.SerializeToString()
        return read_bytes(content) if len(content) <= LONGEST else read(message)

    return read_message


def writing_once(write: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """As `write`, into empty messages, of values that nobody changes: each is known by being the very same object."""
    known: dict[int, tuple[Any, bytes]] = {}

    def write_value(value: Any, message: Any) -> None:
        kept = known.get(id(value))
        if kept is not None and kept[0] is value:
            message.MergeFromString(kept[1])
            return
        write(value, message)
        content = message.SerializeToString()
        if len(content) <= LONGEST:
            if len(known) >= KEPT:
                known.clear()
            known[id(value)] = value, content  # the value is held, so its id is nobody else's

    return write_value
