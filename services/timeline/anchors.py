"""Anchors: the dates from which relative time expressions are resolved.

`yesterday`, `last week`, `three years ago` refer to the document's date; `the next day`, `two years later` to the date
mentioned last, in the same sentence or shortly before. `20 July`, `in July` and `on Tuesday` refer to the document's
date if it reports on its own days (news), else to the date mentioned last. An expression without a certain anchor gets
no date: a wrong date is worse than none. Pure functions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import Enum, auto

from libs.chronology.days import first_day
from libs.chronology.eventfulness import verbs_in
from libs.chronology.roles import is_planned, is_told
from libs.contracts.dates import PartialDate
from libs.language.topics.timelines import TimeAnchors
from libs.text.dates.document_dates import DateMention, find_dates

_NEAR, _NEAR_IN_REPORT = 2, 5
"""Number of sentences that `two days later` may look back; a report stays on one day for longer (taste)."""
_APPOSITION = 10
"""Maximum characters between a phrase and the date that explains it (taste)."""


class _AnchorKind(Enum):
    """The kind of anchor of a relative phrase."""

    DOCUMENT = auto()
    MENTION = auto()
    EITHER = auto()


@dataclass(frozen=True, slots=True)
class Anchors:
    """The possible anchors of a sentence's relative phrases; None if an anchor is not certain."""

    document: PartialDate | None
    reports: bool
    """Whether the document reports on its own days."""
    last: PartialDate | None = None
    """The date mentioned last in the same continuous text."""
    age: int = 0
    """How many sentences ago it was mentioned."""
    language: str = field(kw_only=True)
    """ISO 639-1."""

    def after(self, sentence: str, mentions: Sequence[DateMention]) -> "Anchors":
        """Return the anchors for the sentence after this one."""
        event_dates = [mention for mention in mentions if is_told(sentence, mention, self.language)]
        return replace(self, last=event_dates[-1].first, age=1) if event_dates else replace(self, age=self.age + 1)

    def resolve(self, sentence: str, dates: Sequence[DateMention]) -> list[DateMention]:
        """Return the dates of a sentence's relative phrases; `dates` are its absolute dates."""
        if not TimeAnchors.of(self.language).relative_hint.search(_without(dates, sentence)):
            return []
        anchors = {self.document, self.last, *(mention.first for mention in dates)}
        return [
            self._shift_to_tense(sentence, mention)
            for anchor in sorted(anchor for anchor in anchors if anchor)
            for mention in find_dates(sentence, anchor, language=self.language)
            if mention not in dates and anchor == self._anchor_of(sentence, mention, dates)
        ]

    def _shift_to_tense(self, sentence: str, mention: DateMention) -> DateMention:
        """`was launched in December`, written in July: the last December. `will meet on Friday`: the next Friday."""
        words = TimeAnchors.of(self.language)
        if not (self.document and words.bare.match(mention.text)):
            return mention
        is_in_future = is_planned(sentence, mention, self.language)
        if is_in_future and mention.first < self.document and words.weekday.fullmatch(mention.text):
            return replace(mention, first=_a_week_later(mention.first), last=_a_week_later(mention.last))
        if is_in_future or not verbs_in(sentence, self.language) or mention.first <= self.document:
            return mention
        first, last = (replace(date, year=date.year - 1) for date in (mention.first, mention.last))
        leap_day = (first.month, first.day) == (2, 29)  # the previous year has none
        return mention if leap_day else replace(mention, first=first, last=last)

    def _anchor_of(self, sentence: str, mention: DateMention, dates: Sequence[DateMention]) -> PartialDate | None:
        words = TimeAnchors.of(self.language)
        kind = _kind(sentence[: mention.start], mention.text, sentence[mention.end :], words)
        if kind is _AnchorKind.DOCUMENT:
            return self.document
        if kind is _AnchorKind.MENTION:
            reach = _NEAR_IN_REPORT if self.reports else _NEAR
            recent = self.last if self.age <= reach and not _has_apposition(mention, dates) else None
            return _last_before(mention, dates) or recent
        if kind is _AnchorKind.EITHER:
            either = self.document if self.reports else self.last
            return _shared_year(sentence, mention, dates, words.together) or _last_before(mention, dates) or either
        return None


def _a_week_later(date: PartialDate) -> PartialDate:
    day = first_day(date) + timedelta(days=7)
    return PartialDate(day.year, day.month, day.day)


def _without(mentions: Sequence[DateMention], sentence: str) -> str:
    for mention in mentions:
        sentence = sentence.replace(mention.text, "")
    return sentence


def _kind(before: str, phrase: str, after: str, words: TimeAnchors) -> _AnchorKind | None:
    """Return the kind of anchor of a phrase from its text and context, or None if it is not a date of its own."""
    if match := words.from_mention.match(phrase):
        is_event_offset = match["event"] and re.match(r"\s+\w", after)
        return None if is_event_offset else _AnchorKind.MENTION
    if words.bare.match(phrase):
        is_date = words.weekday.match(phrase) or words.opens_date.search(before)
        return _AnchorKind.EITHER if is_date or not words.part_of_name.search(before) else None
    if words.from_now.match(phrase) and words.lasting.search(before):
        return None
    return _AnchorKind.DOCUMENT


def _last_before(mention: DateMention, dates: Sequence[DateMention]) -> PartialDate | None:
    return next((other.first for other in reversed(dates) if other.end <= mention.start), None)


def _has_apposition(mention: DateMention, dates: Sequence[DateMention]) -> bool:
    """Whether an absolute date follows the phrase: `Two days later, on 15 September 1959`."""
    return any(0 <= other.start - mention.end <= _APPOSITION for other in dates)


def _shared_year(
    sentence: str, mention: DateMention, dates: Sequence[DateMention], together: re.Pattern[str]
) -> PartialDate | None:
    """Return the date whose year a date without one shares: `In April and May 2009`."""
    return next(
        (
            other.first
            for other in dates
            if other.start > mention.end and together.fullmatch(sentence, mention.end, other.start)
        ),
        None,
    )
