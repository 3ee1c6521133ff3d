"""Compares the neighbours of a word in a claim with its neighbours in the source.

`Five cyclones stand in the north` isn't supported by `eight cyclones in the north, five in the south`: the words next
to `five` are those of `eight`. Neighbours are the nearest content words on either side. Pure functions.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from libs.text.tokens import Token, is_stop_word
from services.answer.lexicon.words import stems_of

REACH = 3
"""The number of content words on either side that are a word's neighbours (taste)."""
_start = attrgetter("start")


@dataclass(frozen=True, slots=True)
class Spot:
    """A position in a sentence, with the stems of its neighbours."""

    start: int
    end: int
    before: tuple[str, ...]
    """The nearest is last."""
    after: tuple[str, ...]

    @property
    def neighbours(self) -> frozenset[str]:
        """The neighbours on both sides."""
        return frozenset(self.before + self.after)


@dataclass(frozen=True, slots=True)
class StemOccurrence:
    """A content stem and the offset of its word."""

    stem: str
    start: int


def stem_occurrences(tokens: Iterable[Token], language: str) -> tuple[StemOccurrence, ...]:
    """Return the stems of a text's content words, in order."""
    return tuple(
        StemOccurrence(stem, token.start)
        for token in tokens
        if not is_stop_word(token.text, language)
        for stem in stems_of(token.text, language)
    )


def spot(stems: Sequence[StemOccurrence], start: int, end: int, reach: int = REACH) -> Spot:
    """Return the neighbours of the text from `start` to `end`; `stems` are in order of position."""
    first, following = bisect_left(stems, start, key=_start), bisect_left(stems, end, key=_start)
    before, after = stems[max(0, first - reach) : first], stems[following : following + reach]
    return Spot(
        start, end, tuple(occurrence.stem for occurrence in before), tuple(occurrence.stem for occurrence in after)
    )


def best_overlap(position: Spot, others: Sequence[Spot]) -> int:
    """Return the most neighbours that a position shares with one of the others; -1 if there are no others."""
    return max((len(position.neighbours & other.neighbours) for other in others), default=-1)


def fits_another_better(claim: Spot, same: Sequence[Spot], others: Sequence[Spot]) -> bool:
    """Whether one of the others has more of the claimed word's neighbours than the word itself has in the source."""
    return best_overlap(claim, others) > max(0, best_overlap(claim, same))
