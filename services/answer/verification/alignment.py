"""Compares the neighbours of a word in a claim with its neighbours in the source.

`Five cyclones stand in the north` isn't supported by `eight cyclones in the north, five in the south`: the words next
to `five` are those of `eight`. Neighbours are the nearest content words on either side. Pure functions.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from libs.language.topics.clauses import ClauseParts
from libs.text.dates.document_dates import DateMention
from libs.text.tokens import is_stop_word, tokenize
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
    """A content stem, the offset of its word, and the number of its clause in the sentence."""

    stem: str
    start: int
    clause: int = 0


def stem_occurrences(text: str, language: str, dates: Iterable[DateMention]) -> tuple[StemOccurrence, ...]:
    """Return the stems of a text's content words, in order; no clause ends within a date."""
    within = {offset for date in dates for offset in range(date.start, date.end)}
    ends = [match.start() for match in ClauseParts.of(language).boundary.finditer(text) if match.start() not in within]
    return tuple(
        StemOccurrence(stem, token.start, bisect_left(ends, token.start))
        for token in tokenize(text)
        if not is_stop_word(token.text, language)
        for stem in stems_of(token.text, language)
    )


def spot(stems: Sequence[StemOccurrence], start: int, end: int, reach: int = REACH) -> Spot:
    """Return the neighbours of the text from `start` to `end`, within its clause if that has any."""
    first, following = bisect_left(stems, start, key=_start), bisect_left(stems, end, key=_start)
    clauses = {each.clause for each in stems[first:following]}
    before, after = stems[max(0, first - reach) : first], stems[following : following + reach]
    if not clauses.isdisjoint(each.clause for each in (*before, *after)):
        before, after = ([each for each in side if each.clause in clauses] for side in (before, after))
    return Spot(start, end, tuple(each.stem for each in before), tuple(each.stem for each in after))


def best_overlap(position: Spot, others: Sequence[Spot]) -> int:
    """Return the most neighbours that a position shares with one of the others; -1 if there are no others."""
    return max((len(position.neighbours & other.neighbours) for other in others), default=-1)


def is_exchanged(position: Spot, same: Sequence[Spot], rivals: Sequence[Spot]) -> bool:
    """Whether the source has something else in the place of what is claimed.

    It has only rivals, or one of them among more of the same words, and none of its own before the same one.
    """
    if not same or not rivals:
        return bool(rivals)
    following = position.after[:1]
    if any(other.after[:1] == following for other in same):
        return False
    return best_overlap(position, rivals) > max(0, best_overlap(position, same))
