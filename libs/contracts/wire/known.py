"""Caches of recently written and read passages, as each occurs many times in a turn and again in later turns.

A turn's passages go from the search to the gateway, to the answer stage, and back in events and in stored sessions.
Equal bytes are read as the same object, and the same object is written from cached bytes. The caches last as long as
the process; threads may share them, since each look-up and entry is one operation of a dict.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from libs.contracts.evidence import Passage

MAX_ENTRIES: Final = 2048
"""Passages in each cache, at most 32 MB of them; a number by taste."""
MAX_BYTES: Final = 16_384
"""Size of a cached passage; longer ones are written and read each time (taste)."""


def is_kept(value_type: type[Any]) -> bool:
    """Whether values of a type are cached: only passages, which make up most of what is sent."""
    return value_type is Passage


def reading_once(read: Callable[[Any], Any], message_type: type[Any]) -> Callable[[Any], Any]:
    """Wrap `read` with a cache, so that equal messages give the same value; callers must not change it."""

    @lru_cache(maxsize=MAX_ENTRIES)
    def read_bytes(content: bytes) -> Any:
        return read(message_type.FromString(content))

    def read_message(message: Any) -> Any:
        content = message.SerializeToString()
        return read_bytes(content) if len(content) <= MAX_BYTES else read(message)

    return read_message


def writing_once(write: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Wrap `write` with a cache by object identity, for empty messages and values that are never changed."""
    cache: dict[int, tuple[Any, bytes]] = {}

    def write_value(value: Any, message: Any) -> None:
        entry = cache.get(id(value))
        if entry is not None and entry[0] is value:
            message.MergeFromString(entry[1])
            return
        write(value, message)
        content = message.SerializeToString()
        if len(content) <= MAX_BYTES:
            if len(cache) >= MAX_ENTRIES:
                cache.clear()
            cache[id(value)] = value, content  # holding the value keeps its id unique

    return write_value
