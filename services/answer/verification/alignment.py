"""Whether a word of a claim stands in the source beside the same words, or whether another one stands there.

`Five cyclones stand in the north` isn't borne out by `eight cyclones in the north, five in the south`: the words beside
`five` are those of `eight`. Neighbours are the nearest content words on either side.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from libs.text.tokens import Token, is_stop_word
from services.answer.lexicon.words import stems_of

REACH = 3
"""So many content words on either side are a word's neighbours."""
_start = attrgetter("start")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a sentence, with the stems of its neighbours."""

    start: int
    end: int
    before: tuple[str, ...]
    """The nearest last."""
    after: tuple[str, ...]

    @property
    def neighbours(self) -> frozenset[str]:
        """On both sides."""
        return frozenset(self.before + self.after)


@dataclass(frozen=True, slots=True)
class PlacedStem:
    """A content stem and where its word begins."""

    stem: str
    start: int


def placed_stems(tokens: Iterable[Token]) -> tuple[PlacedStem, ...]:
    """The stems of a text's content words, in order."""
    return tuple(
        PlacedStem(stem, token.start)
        for token in tokens
        if not is_stop_word(token.text)
        for stem in stems_of(token.text)
    )


def spot(stems: Sequence[PlacedStem], start: int, end: int, reach: int = REACH) -> Spot:
    """The neighbours of the words from `start` to `end` among stems in their order."""
    first, following = bisect_left(stems, start, key=_start), bisect_left(stems, end, key=_start)
    before, after = stems[max(0, first - reach) : first], stems[following : following + reach]
    return Spot(start, end, tuple(placed.stem for placed in before), tuple(placed.stem for placed in after))


def fit(one: Spot, others: Sequence[Spot]) -> int:
    """The most neighbours that a place has in common with one of the others; -1 where there are none."""
    return max((len(one.neighbours & other.neighbours) for other in others), default=-1)


def held_by_another(claimed: Spot, same: Sequence[Spot], others: Sequence[Spot]) -> bool:
    """Whether one of the others stands where the claim has its word, more than the word itself does."""
    return fit(claimed, others) > max(0, fit(claimed, same))
