"""Extracts the checkable claims of a sentence: numbers, dates, names, denials, and the neighbours of its words.

`Five cyclones stand in the north` isn't supported by `eight cyclones in the north, five in the south`: the words next
to `five` are those of `eight`. Neighbours are the nearest content words on either side. Pure functions with caches.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from operator import attrgetter

from libs.language.topics.clauses import ClauseParts, Negation
from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.names import Name, find_names
from libs.text.numbers.finder import Number, find_numbers
from libs.text.tokens import is_stop_word, tokenize
from services.answer.lexicon.words import stems_of

MAX_CHARACTERS = 4000
"""Longer text is not a sentence; the rest is ignored (taste)."""
_MAX_DENIALS = 30
"""Negators of a sentence that are read, because each makes its clause be read again (taste)."""
_SCOPE = 4
"""Content words after a negator that it may deny (taste)."""
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


@dataclass(frozen=True, slots=True)
class Denial:
    """A negator and the stems in its scope."""

    scope: frozenset[str]
    """The nearest stems after the negator, with one before it; those before it if it ends its clause."""
    head: str
    """The stem nearest to the negator."""
    following: tuple[str, ...]
    """The stems of its clause after it, in order."""
    is_empty: bool
    """Whether it is part of a phrase that denies nothing (`not only`)."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of one sentence or of several adjacent ones."""

    text: str
    stems: frozenset[str]
    name_stems: frozenset[str]
    """The stems of its names."""
    undated_stems: frozenset[str]
    """The stems outside of dates, which are checked separately; all stems if there are no others."""
    unnamed_stems: frozenset[str]
    """The stems outside of dates and names; all stems if there are no others."""
    quantities: tuple[Number, ...]
    """Numbers outside of dates and numbered names."""
    all_numbers: tuple[Number, ...]
    dates: tuple[DateMention, ...]
    names: tuple[Name, ...]
    """Those that surely are names."""
    denials: tuple[Denial, ...]
    occurrences: tuple[StemOccurrence, ...]
    language: str
    """ISO 639-1."""


@lru_cache(maxsize=2048)  # taste
def read_claims(text: str, language: str) -> Claims:
    """Parse a sentence of a language (ISO 639-1); cached because sources are compared with many sentences."""
    text = text[:MAX_CHARACTERS]
    dates = find_dates(text, language=language)
    numbers = find_numbers(text, language)
    # The `Celsius` of `5 degrees Celsius` is not a name.
    in_numbers = {offset for number in numbers for offset in range(number.start + 1, number.end)}
    names = tuple(name for name in find_names(text, language) if name.is_sure and name.start not in in_numbers)
    spans = [*((date.start, date.end) for date in dates), *((name.start, name.end) for name in names)]
    occurrences = stem_occurrences(text, language, dates)
    stems = frozenset(occurrence.stem for occurrence in occurrences)
    name_stems = frozenset(stems_of(" ".join(name.text for name in names), language))
    in_dates = {offset for date in dates for offset in range(date.start, date.end)}
    undated_stems = frozenset(each.stem for each in occurrences if each.start not in in_dates) or stems
    return Claims(
        text,
        stems,
        name_stems,
        undated_stems,
        undated_stems - name_stems or stems,
        tuple(each for each in numbers if not any(start < each.end and each.start < end for start, end in spans)),
        numbers,
        dates,
        names,
        tuple(find_denials(text, language)),
        occurrences,
        language,
    )


def find_denials(text: str, language: str) -> Iterator[Denial]:
    """Yield the first `_MAX_DENIALS` negators of a text with the stems that they deny."""
    negation = Negation.of(language)
    idiom_spans = [match.span() for match in negation.no_denial.finditer(text)]
    for negator in islice(negation.negator.finditer(text), _MAX_DENIALS):
        before = stems_of(negation.clause_end.split(text[: negator.start()])[-1], language)
        after = stems_of(negation.clause_end.split(text[negator.end() :], maxsplit=1)[0], language)
        if not before and not after:  # `was expected to wake and did not`
            before = stems_of(text[: negator.start()], language)[-_SCOPE:]
        scope = (*before[-1:], *after[:_SCOPE]) if after else before[-2:]
        head = (*after[:1], *before[-1:], "")[0]
        is_empty = any(start <= negator.start() < end for start, end in idiom_spans)
        yield Denial(frozenset(scope), head, after, is_empty)


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
