"""Caches in memory what was read from the corpus, until the next write. Blocks only in a caller's `read`.

The owner of the cache knows when it is stale.

Nothing that was read before a commit is returned after it: a reader takes the current table before it reads, and a
commit replaces the tables before the write is acknowledged.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final, TypeVar, cast

T = TypeVar("T")
MAX_ANSWERS: Final = 256  # of queries that are cached (taste)
MAX_PASSAGES: Final = 2048  # passages of some kB each: a few MB (taste)
_UNKNOWN: Final = object()


class QueryCache:
    """The cache of one corpus. Thread-safe; cached values are shared, so they must not be changed."""

    def __init__(self, most_answers: int = MAX_ANSWERS, most_passages: int = MAX_PASSAGES) -> None:
        self._most_answers = most_answers
        self._most_passages = most_passages
        self.forget()

    def forget(self) -> None:
        """Clear the cache after a write."""
        self._answers: dict[Hashable, Any] = {}
        self._by_key: dict[int, Any] = {}

    def answer(self, question: Hashable, read: Callable[[], T]) -> T:
        """The result of `read`, cached by `question` if nothing was written since."""
        answers = self._answers
        answer = answers.get(question, _UNKNOWN)
        if answer is _UNKNOWN:
            answer = read()
            _make_room(answers, 1, self._most_answers)
            answers[question] = answer
        return cast(T, answer)

    def peek(self, question: Hashable) -> Any:
        """The cached answer; None without one."""
        return self._answers.get(question)

    def by_keys(self, keys: Iterable[int], read: Callable[[list[int]], Mapping[int, T]]) -> dict[int, T]:
        """The values of keys; those that `read` does not return are left out."""
        table = self._by_key
        values: dict[int, T | None] = {key: table.get(key) for key in keys}
        if missing := [key for key, value in values.items() if value is None]:
            results = read(missing)
            _make_room(table, len(results), self._most_passages)
            table.update(results)
            values |= results
        return {key: value for key, value in values.items() if value is not None}


def _make_room(table: dict[Any, Any], count: int, limit: int) -> None:
    """Clear a table that would get too large: frequent keys are soon cached again."""
    if len(table) + count > limit:
        table.clear()
