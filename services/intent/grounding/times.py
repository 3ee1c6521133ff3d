"""Times in a question: their exact ranges, and how strictly an answer has to be of them.

`What happened last week?`, counted from the asker's date, asks for that time and no other (FILTER). `The rover launched
in 2011` may only name a thing by a time, so passages of 2011 stand first and others follow (BOOST). No I/O of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from libs.contracts.dates import TimeRange
from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded, GroundedKind, RangeUse
from libs.language.known import language_of
from libs.language.topics.calendar import Calendar, TimeWords
from libs.language.topics.grammar import Inflection
from libs.language.topics.questions import QuestionTimes
from libs.text.dates.document_dates import find_dates
from libs.text.dates.question_times import TimeMention, find_time_ranges
from services.intent.grounding.groundings import Grounding
from services.intent.grounding.range_wording import in_words, iso

_WHY: Final = {
    "vague": "left as it stands: it tells no exact time",
    "impossible": "left as it stands: the calendar has no such time",
}


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a question."""

    groundings: tuple[Grounding, ...] = ()
    time_range: TimeRange | None = None
    """From the start of the first range to the end of the last; None if the question has no range."""
    use: RangeUse | None = None

    @property
    def phrases(self) -> tuple[str, ...]:
        """The phrases whose time is known."""
        return tuple(grounding.grounded.phrase for grounding in self.groundings if grounding.grounded.value)


def ground_times(question: str, now: datetime, language: str) -> Times:
    """Find the times in a question and decide how strictly they hold.

    Args:
        question: the standalone question.
        now: the time of asking, aware, in the user's time zone.
        language: the question's language, ISO 639-1.
    """
    mentions = find_time_ranges(question, now, language)
    reasons = [_reason_to_leave(question, mention, language) for mention in mentions]
    known = [mention for mention, reason in zip(mentions, reasons, strict=True) if not reason]
    use = RangeUse.BOOST if any(_is_absolute(mention, language) for mention in known) else RangeUse.FILTER
    groundings = tuple(
        Grounding(_grounded(mention, "", reason)) if reason else _ground(question, mention, use, language)
        for mention, reason in zip(mentions, reasons, strict=True)
    )
    return Times(groundings, *((_hull(known), use) if known else ()))


def _is_absolute(mention: TimeMention, language: str) -> bool:
    return bool(find_dates(mention.text, language=language))


def _reason_to_leave(question: str, mention: TimeMention, language: str) -> str:
    """Return the reason for not grounding a phrase; empty for a phrase that is grounded."""
    times = QuestionTimes.of(language)
    if mention.range is None:
        return _WHY[mention.why or "vague"]
    if _is_part_of_a_name(question, mention, language):
        return "left as it stands: it is written like a part of a name"
    words, calendar = mention.text.lower(), Calendar.of(language)
    if words in calendar.seasons:
        return "left as it stands: it tells no year"
    rest = question[: mention.start] + question[mention.end :]
    is_every = words in calendar.weekdays or (mention.kind == "yearly" and times.present.search(rest))
    if is_every and not times.happens.search(rest):
        return "left as it stands: it speaks of every such time"
    is_possessive = question.startswith(Inflection.of(language).possessive_marks, mention.end)
    is_today = TimeWords.of(language).near_days.get(words) == 0 and not is_possessive
    if is_today and times.present.search(rest) and not times.happens.search(rest):
        return "left as it stands: it speaks of the present, not of one day"
    return ""


def _is_part_of_a_name(question: str, mention: TimeMention, language: str) -> bool:
    """Whether capitals suggest a name: `the film Yesterday`, `Black Friday`."""
    before = question[: mention.start].split()
    capitals_tell_names = not language_of(language).capitalises_nouns
    if mention.kind == "date" or not before or before[-1][-1] in ".?!:" or not capitals_tell_names:
        return False
    first_word, adverbs = mention.text.split()[0].lower(), QuestionTimes.of(language).adverbs
    capitalised_adverb = mention.text[0].isupper() and first_word in adverbs
    return capitalised_adverb or (mention.kind == "weekday" and len(before) > 1 and before[-1][0].isupper())


def _ground(question: str, mention: TimeMention, use: RangeUse, language: str) -> Grounding:
    assert mention.range is not None
    value = iso(mention.range)
    if _is_absolute(mention, language):
        return Grounding(_grounded(mention, value, "an absolute time: passages of that time first"))
    effect = "passages of that time only" if use is RangeUse.FILTER else "passages of that time first"
    grounded = _grounded(mention, value, f"counted from the asker's date: {effect}")
    if not QuestionTimes.of(language).ranges:
        return Grounding(grounded)
    return Grounding(grounded, *_place(question, mention, in_words(mention.range, mention.kind, language), language))


def _grounded(mention: TimeMention, value: str, reason: str) -> Grounded:
    return Grounded(GroundedKind.TIME, mention.text, Span(mention.start, mention.end), value, reason)


def _place(question: str, mention: TimeMention, words: str, language: str) -> tuple[Span, str]:
    """Return the span to replace and the text: the phrase with its preposition; after a possessive, add brackets."""
    if question[mention.end : mention.end + 1] in "'’" and mention.end < len(question):
        end = mention.end + (2 if question[mention.end + 1 : mention.end + 2] == "s" else 1)
        return Span(end, end), f" ({words})"
    leading = QuestionTimes.of(language).leading.search(question, 0, mention.start)
    return Span(leading.start() if leading else mention.start, mention.end), words


def _hull(mentions: Sequence[TimeMention]) -> TimeRange:
    ranges = [mention.range for mention in mentions if mention.range]
    starts, ends = [time_range.start for time_range in ranges], [time_range.end for time_range in ranges]
    start = None if None in starts else min(filter(None, starts))
    return TimeRange(start, None if None in ends else max(filter(None, ends)))
