"""A match of a time pattern, whose groups are read as numbers, units and parts by the words of its language."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from libs.language.topics.calendar import Calendar, TimeWords
from libs.text.dates.readings import Part
from libs.text.numbers.words import small_number


class NotMeantError(Exception):
    """A pattern matches words that tell no time."""


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
        """The same, normalised by `words_of`, without the full stop of a short form."""
        return words_of(self.text(*groups)).rstrip(".")

    def number(self, *groups: str) -> int:
        """The first of the groups that took part as a number, in digits or in the group's words; 0 if none did."""
        group = next((group for group in groups if self.text(group)), "")
        words = self.words(group)
        if not words or words[0].isdecimal():
            return int(re.sub(r"\D", "", words) or 0)
        return _numbers(self.language).get(group.rstrip("1"), Calendar.of(self.language).ordinals)[words]

    def number_if_any(self, *groups: str) -> int | None:
        """The same; None if none of the groups took part."""
        return self.number(*groups) if self.text(*groups) else None

    def unit(self) -> str:
        """The unit in the group `unit`: `week`, `century`; a day if there is none."""
        return TimeWords.of(self.language).units[self.words("unit")] if self.text("unit") else "day"

    def count(self) -> int | None:
        """The number in the group `count`; 1 if there is none, None if it is vague.

        Raises:
            NotMeantError: its words are no number.
        """
        words, values = self.words("count"), TimeWords.of(self.language)
        if words in values.vague_counts:
            return None
        count = (values.counts.get(words) or small_number(words, self.language)) if words else 1
        if count is None:
            raise NotMeantError
        return count

    def distance(self, toward: int = 0) -> tuple[str, int] | None:
        """A unit and how many of it the phrase moves, backwards if negative; None if the number is vague.

        Args:
            toward: -1 or 1 for a phrase whose words tell no direction.

        Raises:
            NotMeantError: the words of the count are no number.
        """
        count, direction = self.count(), self.number_if_any("near", "which", "way")
        return None if count is None else (self.unit(), count * (toward if direction is None else direction))

    def period_part(self) -> Part:
        """The third of a period in the group `part` or `part_of`; empty if there is none."""
        words = self.words("part", "part_of")
        return cast(Part, TimeWords.of(self.language).period_parts[words]) if words else ""


@lru_cache(maxsize=64)  # taste
def _numbers(language: str) -> Mapping[str, Mapping[str, int]]:
    """The words of each group that is a number and no ordinal one."""
    calendar, words = Calendar.of(language), TimeWords.of(language)
    return {
        "month": calendar.months,
        "weekday": calendar.weekdays,
        "season": calendar.seasons,
        "decade": calendar.decades,
        "near": words.near_days,
        "which": words.steps,
        "of_year": words.steps,
        "year_ago": words.steps,
        "way": words.directions,
        "nth": {**calendar.ordinals, **words.steps},
    }
