"""Places for calls that do not wait: a call that finds none is refused, and no caller takes those of all others.

A caller may hold as many places as are free: one alone gets half of them, each of n callers gets 1/(n+1). So there is a
place for whoever comes next, however many calls the others make (Choudhury and Hahne's dynamic thresholds).
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from libs.runtime.errors import Overloaded

RETRY_SECONDS: Final = 0.5
"""Seconds that a caller is asked to wait after RESOURCE_EXHAUSTED (taste)."""
UNREAD_BYTES: Final = 128 * 1024 * 1024
"""Of messages on their way to clients: one caller alone has half of it, eight of the largest documents with their
structure (taste)."""
CALL_BYTES: Final = 16_384
"""What any message counts at least, as its call costs that much in gRPC's core."""
LARGEST_BYTES: Final = UNREAD_BYTES // 4
"""What it counts at most, so that a message of any size can be sent."""


@dataclass(slots=True)
class Places:
    """The places of one kind of calls."""

    limit: int
    held: int = 0
    _by_caller: Counter[str] = field(default_factory=Counter)

    def take(self, caller: str, places: int = 1) -> None:
        """Take places; callers that have no names share them without rules.

        Raises:
            Overloaded: there are not so many for this caller.
        """
        if places + (self._by_caller[caller] if caller else 0) > self.limit - self.held:
            raise Overloaded(RETRY_SECONDS)
        self.count(caller, places)

    def count(self, caller: str, by: int) -> None:
        """Give places back (-1), or take back what was only lent to others (+1), even if all are held by now."""
        self.held += by
        self._by_caller[caller] += by
        if not self._by_caller[caller]:
            del self._by_caller[caller]


class UnreadBytes:
    """The bytes of messages that clients have not taken yet, in shares like places."""

    def __init__(self) -> None:
        self._places = Places(UNREAD_BYTES)

    @contextmanager
    def held(self, caller: str, size: int) -> Iterator[None]:
        """Count a message of so many bytes in the block; those of callers without names are not counted.

        Raises:
            Overloaded: its caller leaves too much unread.
        """
        bytes_held = min(max(size, CALL_BYTES), LARGEST_BYTES) if caller else 0
        self._places.take(caller, bytes_held)
        try:
            yield
        finally:
            self._places.count(caller, -bytes_held)
