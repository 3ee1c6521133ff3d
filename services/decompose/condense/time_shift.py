"""Asks the previous question of another time: "and in May?", "and last month?", "and the year before?".

The turn's time replaces that of the question, which keeps its verb and everything else. "The year before" is counted
from the question's own time: "the year before 2024"; "in June" is of the question's year. Pure.
"""

import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from libs.language.topics.questions import QuestionTimes
from libs.text.dates.question_times import COMPOSED, TimeMention, find_time_ranges
from libs.text.dates.readings import YEAR
from libs.text.dates.relative_times import YEARLY
from libs.text.tokens import content_words

_NOW: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""Which words tell a time does not depend on when they are said."""
_END: Final = "?!. …"
_YEAR: Final = re.compile(rf"(?<!\w){YEAR}(?!\w)")


def ask_of_another_time(turn: str, question: str, language: str, question_language: str) -> str | None:
    """Return the question of the time that a turn tells; None if the turn tells more, or no time.

    Args:
        turn: the last turn.
        question: the question before it, standalone.
        language: the turn's language, ISO 639-1.
        question_language: the question's language.
    """
    slot = next(reversed(_times(question, question_language)), None)
    if slot is not None and (counted := _counted_from(slot, turn, language)):
        return _replaced(question, slot, counted, "", question_language)
    if (time := _time_alone(turn, language)) is None:
        return None
    leading = QuestionTimes.of(language).leading.search(turn, 0, time.start)
    preposition = turn[leading.start() : time.start] if leading else ""
    if slot is None:
        return f"{question.rstrip(_END)} {preposition}{time.text}?"
    return _replaced(question, slot, _of_year(time, slot), preposition, question_language)


def asks_of_a_time_alone(turn: str, language: str) -> bool:
    """Whether a turn asks for whatever happened at a time: `What happened since September?`."""
    forms, times = QuestionTimes.of(language), _times(turn, language)
    if len(times) != 1:
        return False
    rest = forms.leading.sub("", turn[: times[0].start]) + turn[times[0].end :]
    return forms.happened.fullmatch(rest.strip(f"{_END},")) is not None


@lru_cache(maxsize=256)  # taste
def _times(text: str, language: str) -> tuple[TimeMention, ...]:
    """Cached, because a turn is the previous question of the next one."""
    return find_time_ranges(text, _NOW, language)


def _of_year(time: TimeMention, slot: TimeMention) -> TimeMention:
    """A time of every year, with the year of the time it replaces: "June 2026"; any other time as it is."""
    year = _YEAR.search(slot.text)
    return replace(time, text=f"{time.text} {year[0]}", kind=slot.kind) if year and time.kind == YEARLY else time


def _counted_from(slot: TimeMention, turn: str, language: str) -> TimeMention | None:
    """The time that a turn counts from another one: `the year before`, 2023 if from 2024; None if it doesn't."""
    first, _, last = turn.rstrip(_END).rpartition(" ")
    preposition = QuestionTimes.of(language).counting.get(last.lower(), last)
    counted = _time_alone(f"{first} {preposition} {slot.text}", language)
    if counted is None or counted.kind != COMPOSED:
        return None
    start = counted.range and counted.range.start
    return replace(counted, text=str(start.year), kind=slot.kind) if start and slot.text.isdecimal() else counted


def _time_alone(text: str, language: str) -> TimeMention | None:
    """The only time of a text that says nothing else."""
    mentions = _times(text, language)
    if len(mentions) != 1 or content_words(text[: mentions[0].start] + text[mentions[0].end :], language):
        return None
    return mentions[0]


def _replaced(question: str, slot: TimeMention, time: TimeMention, preposition: str, language: str) -> str:
    """The question with another time and its preposition.

    A time of the same kind that has none keeps the question's own, as does a time before a noun or verb: "the 2024
    policy" has none, and in "im Mai 2025 verkauft" it stands before another month as well.
    """
    following = question[slot.end :].split()[:1]
    is_inside = bool(following) and bool(content_words(following[0], language)) and slot.kind == "date"
    stays = is_inside or (not preposition and slot.kind == time.kind)
    leading = None if stays else QuestionTimes.of(language).leading.search(question, 0, slot.start)
    start = leading.start() if leading else slot.start
    return f"{question[:start]}{'' if stays else preposition}{time.text}{question[slot.end :]}"
