"""The cached answers in memory: the least recently used are dropped first, and each after its time."""

import time
from collections import Counter, OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from gateway.answer_cache.miss import AnswerKey, SuiteState

OVERHEAD = 512
"""Bytes that an entry takes beside its contents."""


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """An answer as the turn gave it that made it."""

    key: AnswerKey
    state: SuiteState
    turn: bytes
    """The stored turn, encoded."""
    events: tuple[bytes, ...]
    """The events of the answer in their order, encoded."""
    session_id: str = ""
    """The session whose turn made it; empty if the client stores the conversation."""
    session_key: str = ""
    """Distinguishes that session from a later one of the same id."""
    made: float = field(default_factory=time.monotonic)

    @property
    def size(self) -> int:
        """Size in memory, in bytes."""
        return OVERHEAD + len(self.turn) + sum(map(len, self.events))


class CachedAnswers:
    """Answers by their keys."""

    def __init__(self, most_bytes: int, seconds: float) -> None:
        """Keep at most `most_bytes`, each answer for `seconds`."""
        self._most_bytes = most_bytes
        self._seconds = seconds
        self._entries: OrderedDict[bytes, CachedAnswer] = OrderedDict()
        self._questions: Counter[bytes] = Counter()
        self._size = 0

    def __len__(self) -> int:
        return len(self._entries)

    def put(self, entry: CachedAnswer) -> None:
        """Add an answer, replacing an earlier one of the same key; one that is too large is not added."""
        self.drop(entry.key)
        if entry.size > self._most_bytes:
            return
        self._entries[entry.key.answer] = entry
        self._questions[entry.key.question] += 1
        self._size += entry.size
        while self._size > self._most_bytes:
            self._remove(next(iter(self._entries)))

    def get(self, key: AnswerKey) -> CachedAnswer | None:
        """Return an answer that is not too old, or None."""
        entry = self._entries.get(key.answer)
        if entry is None:
            return None
        if time.monotonic() - entry.made > self._seconds:
            self._remove(key.answer)
            return None
        self._entries.move_to_end(key.answer)
        return entry

    def has_question(self, question: bytes) -> bool:
        """Whether some answer to the question is cached; it may be too old."""
        return self._questions[question] > 0

    def drop(self, key: AnswerKey) -> None:
        """Remove an answer, if it is there."""
        if key.answer in self._entries:
            self._remove(key.answer)

    def drop_sessions(self, session_ids: Collection[str]) -> None:
        """Remove the answers that turns of these sessions made."""
        names: Sequence[bytes] = [
            name for name, entry in self._entries.items() if entry.session_id and entry.session_id in session_ids
        ]
        for name in names:
            self._remove(name)

    def _remove(self, name: bytes) -> None:
        entry = self._entries.pop(name)
        self._size -= entry.size
        self._questions[entry.key.question] -= 1
        if not self._questions[entry.key.question]:
            del self._questions[entry.key.question]
