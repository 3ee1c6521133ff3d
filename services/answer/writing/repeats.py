"""Nothing is said twice: a model that writes the same sentence again, and one that goes round in circles."""

from dataclasses import dataclass, field
from typing import Final

from libs.contracts.answers import Citation, Verdict
from services.answer.quoting.units import count_words
from services.answer.verification.windows import plain

LEAST_WORDS: Final = 4
"""Of a sentence that counts; `See below.` may stand more than once."""
MOST: Final = 3
"""Sentences that were said before, one after the other: then nothing new comes any more."""


@dataclass(slots=True)
class Repeats:
    """What was written so far, sentence by sentence, withdrawn or not."""

    _said: set[str] = field(default_factory=set)
    _in_a_row: int = 0

    def has_said(self, sentence: str) -> bool:
        """Whether a sentence was written before; it is from now on."""
        words = plain(sentence)
        if count_words(words) < LEAST_WORDS:
            return False
        repeated = words in self._said
        self._said.add(words)
        self._in_a_row = self._in_a_row + 1 if repeated else 0
        return repeated

    @property
    def goes_round(self) -> bool:
        """Whether there is no use in reading on."""
        return self._in_a_row >= MOST


def said_before(number: int) -> Citation:
    """The verdict on a repeated sentence."""
    return Citation(number, (), Verdict.WITHDRAWN, 0.0, "It was said before.", replacement="")
