"""What was read from the corpus since it was last written: who asks again gets the same answer, without a look at it.

One process writes a corpus, and knows when. Nothing that was read before a commit is told after it: a reader takes the
table of its time before it looks, and a commit puts a new table in its place before the write is acknowledged.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final, TypeVar, cast

T = TypeVar("T")

MOST_ANSWERS: Final = 256
MOST_PASSAGES: Final = 2048
"""Of some kB each."""
_UNKNOWN: Final = object()


class Remembered:
    """Answers of one corpus. Safe for any number of threads; everything in it is shared, so nobody may change it."""

    def __init__(self, most_answers: int = MOST_ANSWERS, most_passages: int = MOST_PASSAGES) -> None:
        self._most_answers = most_answers
        self._most_passages = most_passages
        self.forget()

    def forget(self) -> None:
        """The corpus was written."""
        self._answers: dict[Hashable, Any] = {}
        self._by_key: dict[int, Any] = {}

    def answer(self, question: Hashable, read: Callable[[], T]) -> T:
        """What `read` gives, from an earlier time if nothing was written since.

        Args:
            question: tells what is read from anything else that is.
        """
        answers = self._answers
        answer = answers.get(question, _UNKNOWN)
        if answer is _UNKNOWN:
            answer = read()
            _make_room(answers, 1, self._most_answers)
            answers[question] = answer
        return cast(T, answer)

    def known(self, question: Hashable) -> Any:
        """The answer that is remembered; None where there is none."""
        return self._answers.get(question)

    def by_keys(self, keys: Iterable[int], read: Callable[[list[int]], Mapping[int, T]]) -> dict[int, T]:
        """The values of keys; those that `read` does not know are left out."""
        table = self._by_key
        values: dict[int, T | None] = {key: table.get(key) for key in keys}
        if missing := [key for key, value in values.items() if value is None]:
            found = read(missing)
            _make_room(table, len(found), self._most_passages)
            table.update(found)
            values |= found
        return {key: value for key, value in values.items() if value is not None}


def _make_room(table: dict[Any, Any], count: int, most: int) -> None:
    """Begin anew where a table would hold too much: what is asked for often is soon in it again."""
    if len(table) + count > most:
        table.clear()
