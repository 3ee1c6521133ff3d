"""A match of a time pattern, whose groups are read as values (numbers, months, units, steps), and the time it means."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast

from libs.contracts.dates import TimeRange
from libs.language.topics.calendar import Calendar, TimeWords
from libs.text.dates.date_readings import Part, Why
from libs.text.numbers.words import small_number


def words_of(phrase: str) -> str:
    """The phrase in lower case, with single spaces and straight apostrophes."""
    return " ".join(phrase.lower().replace("’", "'").split())


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """A time phrase in a language.

    Raises:
        LanguageDataError: a pattern of the language matches a word in a group that the language's tables lack.
    """

    match: re.Match[str]
    language: str

    def text(self, *groups: str) -> str:
        """The first of the groups that took part in the match, as written; empty if none did."""
        known_groups = self.match.re.groupindex
        return next((text for group in groups if group in known_groups and (text := self.match[group])), "")

    def words(self, *groups: str) -> str:
        """The same, normalised by `words_of`."""
        return words_of(self.text(*groups))

    def number(self, *groups: str) -> int:
        """The digits of a group as a number: 5 for `5th`."""
        return int(re.sub(r"\D", "", self.text(*groups)))

    def ordinal(self, *groups: str) -> int:
        """The number of a group with digits or an ordinal number in words."""
        words = self.words(*groups)
        return self.number(*groups) if words[:1].isdecimal() else Calendar.of(self.language).ordinals[words]

    def month(self, group: str = "month") -> int:
        """The month in a group: 1 to 12, or any number for a month in digits."""
        word = self.words(group).rstrip(".")
        return int(word) if word.isdecimal() else Calendar.of(self.language).months[word]

    def weekday(self) -> int:
        """The weekday in the group `weekday`; Monday is 0."""
        return Calendar.of(self.language).weekdays[self.words("weekday").rstrip(".")]

    def season(self) -> int:
        """The first month of the season in the group `season`."""
        return Calendar.of(self.language).seasons[self.words("season")]

    def unit(self, *groups: str) -> str:
        """The unit in a group, `unit` by default: `week`, `century`."""
        return self._values.units[self.words(*(groups or ("unit",)))]

    def count(self) -> int | None:
        """The number in the group `count`; 1 if there is none, None if it is vague or no number."""
        if not (words := self.words("count")):
            return 1
        return self._values.counts.get(words) or small_number(words, self.language)

    @property
    def is_vague(self) -> bool:
        """Whether the count is a word for an unknown number: `several`."""
        return self.words("count") in self._values.vague_counts

    def step(self, *groups: str) -> int | None:
        """How many units a group moves, `which` by default: -1 for `last`; None if it did not take part."""
        words = self.words(*(groups or ("which",)))
        return self._values.steps[words] if words else None

    def direction(self) -> int:
        """-1 if the group `way` counts backwards, else 1."""
        return self._values.directions[self.words("way")]

    def day_part(self) -> str:
        """The part of the day in the group `part`."""
        return self._values.day_parts[self.words("part")]

    def period_part(self) -> Part:
        """The third of a period in the group `part` or `part_of`; empty if there is none."""
        words = self.words("part", "part_of")
        return cast(Part, self._values.period_parts[words]) if words else ""

    @property
    def _values(self) -> TimeWords:
        return TimeWords.of(self.language)


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time phrase in a question and its exact meaning: `text == question[start:end]`."""

    text: str
    start: int
    end: int
    range: TimeRange | None
    """None if the phrase has no exact meaning, for the reason in `why`."""
    kind: str
    """The kind of phrase, for display: `unit`, `ago`, `weekday`, `date` …"""
    why: Why = ""
    """`vague` (recently, the past few months), `impossible` (31 February) or `outside` the years 1 to 9999 (44 BC)."""


_Origin = TypeVar("_Origin")


def read_time(
    read: Callable[[TimePhrase, _Origin], TimeRange | None], phrase: TimePhrase, origin: _Origin
) -> tuple[TimeRange | None, Why]:
    """The range of a phrase that is counted from an origin, or None with the reason why it has no exact one."""
    try:
        time_range = read(phrase, origin)
    except OverflowError:
        return None, "outside"
    except ValueError:
        return None, "impossible"
    return time_range, "" if time_range else "vague"
