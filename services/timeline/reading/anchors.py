"""Anchors: the dates from which relative time expressions are resolved.

`yesterday`, `last week`, `three years ago` refer to the document's date; `the next day`, `two years later` to the date
mentioned last, in the same sentence or shortly before. `20 July`, `in July` and `on Tuesday` refer to the document's
date if it reports on its own days (news), else to the date mentioned last. An expression without a certain anchor gets
no date: a wrong date is worse than none. Pure functions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from dateutil.relativedelta import relativedelta

from libs.chronology.days import days_of
from libs.chronology.eventfulness import verbs_in
from libs.chronology.roles import is_planned, is_told
from libs.contracts.dates import PartialDate
from libs.language.topics.timelines import TimeAnchors
from libs.text.dates.document_dates import DateMention, find_dates

_NEAR, _NEAR_IN_REPORT = 2, 5
"""Number of sentences that `two days later` may look back; a report stays on one day for longer (taste)."""
_SOON = 45
"""Days after a report within which a day of the month is not the last year's, whatever the tense (taste)."""
_ANY_DAY = PartialDate(2000, 1, 15)
"""A day by which phrases are found before their anchor is known; its value plays no part."""
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
        found = list[DateMention]()
        for phrase in find_dates(sentence, self.document or self.last or _ANY_DAY, language=self.language):
            anchor = (
                None if phrase in dates else self._anchor_of(sentence, phrase, sorted([*dates, *found], key=_place))
            )
            if anchor:
                mentions = find_dates(sentence, anchor, language=self.language)
                found += [self._shift_to_tense(sentence, each) for each in mentions if each.start == phrase.start]
        return found

    def _shift_to_tense(self, sentence: str, mention: DateMention) -> DateMention:
        """`was launched in December`, written in July: the last December. `will meet on Friday`: the next Friday."""
        words = TimeAnchors.of(self.language)
        if not (self.document and words.bare.match(mention.text)) or words.from_now.search(mention.text):
            return mention
        written, days = self.document.first_day, days_of(mention.first, mention.last)
        step = relativedelta(weeks=1) if words.weekday.search(mention.text) else relativedelta(years=1)
        if is_planned(sentence, mention, self.language):
            is_passed = days.last < written and not (step.years and verbs_in(sentence, self.language))
            return _moved(mention, step) if is_passed else mention
        soon = _SOON if mention.first.day and step.years else 0
        is_ahead = (days.first - written).days > soon and verbs_in(sentence, self.language)
        return _moved(mention, -step) if is_ahead else mention

    def _anchor_of(self, sentence: str, mention: DateMention, dates: Sequence[DateMention]) -> PartialDate | None:
        words = TimeAnchors.of(self.language)
        kind = _kind(sentence[: mention.start], mention.text, sentence[mention.end :], words)
        if kind is _AnchorKind.MENTION:
            reach = _NEAR_IN_REPORT if self.reports else _NEAR
            # `Two days later, on 15 September 1959`
            has_apposition = any(0 <= other.start - mention.end <= _APPOSITION for other in dates)
            recent = self.last if self.age <= reach and not has_apposition else None
            return _last_before(mention, dates) or recent
        if kind is _AnchorKind.EITHER:
            if self.reports and words.weekday.search(mention.text):
                return self.document
            either = self.document if self.reports and not self._looks_back else self.last
            return _shared_year(sentence, mention, dates, words.together) or _last_before(mention, dates) or either
        return self.document if kind is _AnchorKind.DOCUMENT else None

    @property
    def _looks_back(self) -> bool:
        """Whether the sentence before is about another year: `was arrested in March 2019. He was released in June.`"""
        if self.document is None or self.last is None or self.age > 1:
            return False
        return self.last.month > 0 and self.last.year != self.document.year


def _place(mention: DateMention) -> int:
    return mention.start


def _moved(mention: DateMention, step: relativedelta) -> DateMention:
    """Return the mention that much later; 29 February becomes the 28th in other years."""
    first, last = (
        PartialDate(day.year, day.month if each.month else 0, day.day if each.day else 0)
        for each in (mention.first, mention.last)
        for day in (each.first_day + step,)
    )
    return replace(mention, first=first, last=last)


def _without(mentions: Sequence[DateMention], sentence: str) -> str:
    for mention in mentions:
        sentence = sentence.replace(mention.text, "")
    return sentence


def _kind(before: str, phrase: str, after: str, words: TimeAnchors) -> _AnchorKind | None:
    """Return the kind of anchor of a phrase from its text and context, or None if it is not a date of its own."""
    if match := words.from_mention.match(phrase):
        is_event_offset = match["event"] and re.match(r"\s+\w", after)
        return None if is_event_offset else _AnchorKind.MENTION
    if words.bare.match(phrase) and not words.from_now.search(phrase):
        is_date = words.weekday.match(phrase) or words.opens_date.search(before)
        return _AnchorKind.EITHER if is_date or not words.part_of_name.search(before) else None
    if words.from_now.match(phrase) and words.lasting.search(before):
        return None
    return _AnchorKind.DOCUMENT


def _last_before(mention: DateMention, dates: Sequence[DateMention]) -> PartialDate | None:
    return next((other.first for other in reversed(dates) if other.end <= mention.start), None)


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
