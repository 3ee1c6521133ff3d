"""How much is kept for resuming and retries; beyond it the oldest of whoever keeps most goes first.

A caller alone may fill the bound. As others come, what it keeps shrinks to its share, so that one caller neither fills
the disk nor drives out what others keep. Each gateway counts for itself; what it kept before a restart expires.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from gateway.store.tables import Table, Tables
from libs.runtime.limits.callers import present_caller

KEPT_BYTES: Final = 512 * 1024 * 1024
"""Of waiting questions and ended turns together, before they are compressed: fifty thousand turns of some 10 KB, or
sixty questions with the longest conversations (taste)."""
LEAST_BYTES: Final = 8192
"""What each counts at least: its pages in the file, and the memory of its count."""

Kept: TypeAlias = tuple[Table, str]
"""A document, by its table and id."""


@dataclass(slots=True)
class KeptBytes:
    """What this gateway keeps, by caller; all calls are made on the event loop."""

    limit: int = KEPT_BYTES
    _held: Counter[str] = field(default_factory=Counter)
    _kept: defaultdict[str, dict[Kept, tuple[int, float]]] = field(default_factory=lambda: defaultdict(dict))
    """Of each caller, the oldest first: bytes, and when they expire, in seconds of time.time."""

    def keep(self, table: Table, key: str, size: int, expires: float) -> Sequence[Kept]:
        """Count a document of the present caller; return those to delete in its place."""
        caller, counted, gone = present_caller(), max(size, LEAST_BYTES), list[Kept]()
        self._forget(caller, (table, key))
        while (kept := self._kept[caller]) and kept[oldest := next(iter(kept))][1] < time.time():
            self._forget(caller, oldest)
        kept[table, key] = counted, expires
        self._held[caller] += counted
        while self._held.total() > self.limit:
            most, _ = self._held.most_common(1)[0]
            gone.append(next(iter(self._kept[most])))
            self._forget(most, gone[-1])
        return gone

    def _forget(self, caller: str, kept: Kept) -> None:
        self._held[caller] -= self._kept[caller].pop(kept, (0, 0.0))[0]
        if not self._kept[caller]:
            del self._kept[caller], self._held[caller]


def delete_gone(gone: Sequence[Kept], tables: Tables) -> None:
    """Delete what `keep` returned."""
    for table, key in gone:
        tables.delete(table, (key,))
