"""Short and full names by capitals, where no other words have them. Lengths: taste. No I/O of its own."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from libs.language.calendar_names import full_month_names
from libs.language.known import language_of
from libs.language.patterns import any_of
from libs.language.topics.calendar import Calendar
from libs.language.topics.names import ShortNames
from libs.text.numbers.units import unit_named


@dataclass(frozen=True, slots=True)
class ShortName:
    """`text == question[start:end]`."""

    text: str
    start: int
    end: int


MAX_TEXTS: Final = 200
"""Maximum number of texts that are searched for full names, the newest (taste)."""
_RUN = re.compile(r"\b[^\W\d_a-z][\w’'-]*(?:\s+(?:[^\W\d_a-z][\w’'-]*|\d+(?![\w.,]*\d{3})\b))*")
"""Consecutive capitalised words and numbers: `Neil Armstrong`, `Apollo 11`."""
_NUMBER_AFTER = re.compile(r"\s+(?:\d{1,3}|[IVX]{1,4})\b")
_WORD = re.compile(r"\s*([^\W\d_]+)")
_MAX_BEFORE: Final = 100
"""Characters before a name that may be its particles (taste)."""
_REACH: Final = 60
"""Characters before a name that are searched for the rest of the full name (taste)."""


@dataclass(frozen=True, slots=True)
class CapitalReader:
    """Reads names by their capitals; a word that occurs alone before any full name is a name itself."""

    language: str

    def short_names(self, question: str) -> Iterator[ShortName]:
        """Yield single capitalised words that are not part of a longer name."""
        endings = ShortNames.of(self.language).endings
        for run in _RUN.finditer(question):
            words = list(re.finditer(r"\S+", run[0]))
            while words and self._is_no_name(_without_possessive(words[0][0]).lower()):
                words.pop(0)
            if len(words) != 1:
                continue
            name = _without_possessive(words[0][0])
            start = run.start() + words[0].start()
            may_be_short = len(name) > 2 and not name.isupper() and name not in endings
            if may_be_short and not self._is_common(question, start, name):
                end = start + len(name)
                start = self._with_particles(question, start)
                yield ShortName(question[start:end], start, end)

    def full_names(self, short: str, texts: Sequence[str]) -> tuple[str, ...]:
        """Return the full names that a short one may stand for, in order; none if it first occurs alone."""
        word = re.compile(rf"\b{re.escape(short)}\b")
        common = re.compile(rf"\b{re.escape(short.lower())}\b")
        if any(common.search(text) for text in texts):
            return ()
        names: dict[str, None] = {}
        for text in texts[-MAX_TEXTS:]:
            for match in word.finditer(text) if short in text else ():
                full_name = self._name_around(text, match)
                if full_name is None and not names:
                    return ()
                if full_name:
                    names[full_name] = None
        return tuple(names)

    def _with_particles(self, question: str, start: int) -> int:
        """Return the start of a name, including its `von` or `de la`."""
        particles = _patterns(self.language).particles_before.search(question, max(0, start - _MAX_BEFORE), start)
        return particles.start() if particles else start

    def _is_common(self, question: str, start: int, name: str) -> bool:
        """Whether the capital proves no name: after an article or initial, or opening a sentence without `'s`."""
        before = question[:start]
        if ShortNames.of(self.language).common_before.search(before):
            return True
        first = not before.strip() or before.rstrip()[-1] in ".?!"
        return first and question[start + len(name) : start + len(name) + 1] not in ("'", "’")

    def _name_around(self, text: str, match: re.Match[str]) -> str | None:
        """Return the longer name around a word; None if the word is alone."""
        words = ShortNames.of(self.language)
        number = _NUMBER_AFTER.match(text, match.end())
        if number and not self._is_quantity(text, number.end()):
            return match[0] + re.sub(r"\s+", " ", number[0])
        full_before = _patterns(self.language).full_before
        before = full_before.search(text, max(0, match.start() - _REACH), match.start())
        parts = before[0].split() if before else []
        while parts and self._is_no_part(parts[0]):
            parts.pop(0)
        if not parts or parts[0].lower() in words.common_first:
            return None
        return " ".join([*parts, match[0]])

    def _is_quantity(self, text: str, end: int) -> bool:
        """Whether a number that ends here has a unit (`in Zurich 190 euros`), or is an ordinal."""
        if ShortNames.of(self.language).no_number_before.match(text, end):
            return True
        unit = _WORD.match(text, end)
        return unit is not None and unit_named(unit[1], self.language) is not None

    def _is_no_part(self, word: str) -> bool:
        """Whether a word is a title, a function word, or ends the previous sentence; initials are parts of names."""
        plain = word.lower().rstrip(".")
        is_title = plain in ShortNames.of(self.language).titles
        return is_title or self._is_no_name(plain) or (word.endswith(".") and len(word) > 2)

    def _is_no_name(self, word: str) -> bool:
        if word in language_of(self.language).stop_words or word in ShortNames.of(self.language).no_names:
            return True
        is_weekday = Calendar.of(self.language).weekday_name.fullmatch(word.capitalize()) is not None
        return is_weekday or word in full_month_names(self.language)


@dataclass(frozen=True, slots=True)
class _Patterns:
    particles_before: re.Pattern[str]
    full_before: re.Pattern[str]


@lru_cache(maxsize=64)  # taste
def _patterns(language: str) -> _Patterns:
    particle = rf"{any_of(ShortNames.of(language).particles)}\s+"
    return _Patterns(
        re.compile(rf"(?<!\w)(?:{particle}){{1,2}}\Z"),
        re.compile(rf"(?:[^\W\d_a-z][\w-]*\.?\s+){{1,2}}(?:{particle}){{0,2}}\Z"),
    )


def _without_possessive(word: str) -> str:
    return re.sub(r"['’]s?\Z", "", word)
