"""Detects repetition: a sentence that a model writes again, and a model that loops."""

from dataclasses import dataclass, field
from typing import Final

from libs.contracts.answers import Citation, Verdict
from services.answer.quoting.units import count_words
from services.answer.verification.windows import plain

LEAST_WORDS: Final = 4
"""Least words of a sentence that counts; `See below.` may be repeated."""
MOST: Final = 3
"""Consecutive repeated sentences after which nothing new is expected."""


@dataclass(slots=True)
class Repeats:
    """The sentences written so far, including withdrawn ones."""

    _sentences: set[str] = field(default_factory=set)
    _in_a_row: int = 0

    def is_repeat(self, sentence: str) -> bool:
        """Whether a sentence was written before; records it."""
        words = plain(sentence)
        if count_words(words) < LEAST_WORDS:
            return False
        repeated = words in self._sentences
        self._sentences.add(words)
        self._in_a_row = self._in_a_row + 1 if repeated else 0
        return repeated

    @property
    def goes_round(self) -> bool:
        """Whether the model loops, so that reading should stop."""
        return self._in_a_row >= MOST


def repeat_citation(number: int) -> Citation:
    """Return the verdict on a repeated sentence."""
    return Citation(number, (), Verdict.WITHDRAWN, 0.0, "It was said before.", replacement="")
