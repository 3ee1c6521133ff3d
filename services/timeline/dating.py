"""Dating: the dates of the sentences of a document.

A sentence has the dates that it mentions, absolute ones and relative ones (`anchors`). Other sentences may get a
carried date: that of the heading above (`headed`), or in news the day mentioned last (`carrying`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from libs.chronology.days import days_of
from libs.contracts.dates import PartialDate, Precision
from libs.text.dates import DateMention
from libs.text.sentences import Sentence
from services.timeline.accounts import Account, DatedWords, absolute_dates, account_of, body_begins, is_dateline
from services.timeline.anchors import Anchors
from services.timeline.carrying import goes_on, goes_on_from, is_told_below
from services.timeline.headed import Headed, date_of_headings
from services.timeline.merged_passages import MergedPassage
from services.timeline.places import Place

_AND: Final = re.compile(r"\s+and\s+(?:in\s+)?")


@dataclass(frozen=True, slots=True)
class DatedSentence:
    """A sentence of a merged passage and its dates; the offsets of the dates are in the sentence."""

    merged: MergedPassage
    sentence: Sentence
    place: Place
    mentions: tuple[DateMention, ...]
    written: PartialDate | None
    """When it was written: the day of the heading above it, else the document's date."""
    carried: DateMention | None = None
    """The carried date, used if no date of its own applies; it has no text."""
    heading: str = ""
    """The text of the dating heading without the date, such as `Version 1.6.0`; empty if there is none."""
    in_news: bool = False
    """Whether its document is news, which refers to days of the week: `on Friday`, `yesterday`."""


def date_document(merged_passages: Sequence[MergedPassage]) -> Iterator[DatedSentence]:
    """Yield the sentences of one document that have an own or a carried date, in order.

    Headings and datelines are left out; their dates are anchors for the text after them.
    """
    told = [[(sentence, absolute_dates(sentence.text)) for sentence in merged.sentences] for merged in merged_passages]
    account = account_of(merged_passages, told)
    for merged, sentences in zip(merged_passages, told, strict=True):
        yield from _Reader(merged, account, body_begins(merged, sentences)).read(sentences)


class _Reader:
    """Dates the sentences of one merged passage in order."""

    def __init__(self, merged: MergedPassage, account: Account, body: int) -> None:
        self._merged = merged
        self._account = account
        self._body = body
        """Start of the text below the dateline."""
        self._day = account.date if account.is_news else None
        """The day that news carry to sentences without a date."""
        self._place: Place | None = None
        self._headed: Headed | None = None
        self._anchors = account.anchors(None)

    def read(self, sentences: Sequence[DatedWords]) -> Iterator[DatedSentence]:
        for sentence, absolute in sentences:
            place = self._merged.place_of(sentence)
            self._enter(place)
            mentions = _all_mentions(sentence.text, absolute, self._anchors)
            self._anchors = self._anchors.after(sentence.text, mentions)
            if not sentence.heading:
                yield from self._dated(sentence, place, mentions)

    def _enter(self, place: Place) -> None:
        """Reset the anchors if the headings change."""
        if self._place is None or place.headings != self._place.headings:
            self._headed = date_of_headings(place.headings)
            self._anchors = self._account.anchors(self._headed)
        self._place = place

    def _dated(self, sentence: Sentence, place: Place, mentions: Sequence[DateMention]) -> Iterator[DatedSentence]:
        own = tuple(mention for mention in mentions if not is_dateline(sentence.text, mention))
        if self._day and self._account.date:
            self._day = goes_on_from(self._day, self._account.date, sentence.text, own)
        carried = self._carried(sentence, place)
        if own or carried:
            headed, account = self._headed, self._account
            written = headed.date.first if headed and headed.date.precision is Precision.DAY else account.date
            heading = headed.words if headed and carried else ""
            yield DatedSentence(self._merged, sentence, place, own, written, carried, heading, account.is_news)

    def _carried(self, sentence: Sentence, place: Place) -> DateMention | None:
        if self._headed:
            begins = place.is_list and self._merged.begins_line(sentence)
            told = not place.is_row and (begins or not place.is_list)
            below = told and is_told_below(sentence.text, begins, self._merged.passage.language)
            return self._headed.date if below else None
        if self._day and sentence.start >= self._body and goes_on(sentence.text):
            return DateMention("", 0, 0, self._day, self._day, Precision.DAY, relative=True)
        return None


def _all_mentions(text: str, absolute: tuple[DateMention, ...], anchors: Anchors) -> tuple[DateMention, ...]:
    relative = anchors.resolve(text, absolute)
    return tuple(_joined(text, sorted({*absolute, *relative}, key=lambda mention: mention.start)))


def _joined(text: str, mentions: Sequence[DateMention]) -> Iterator[DateMention]:
    """Join adjacent dates into one range: `2016 and 2017`, `In April and May 2009`."""
    waiting: DateMention | None = None
    for mention in mentions:
        if waiting and _follows_at_once(text, waiting, mention):
            words = text[waiting.start : mention.end]
            waiting = replace(waiting, text=words, end=mention.end, last=mention.last)
        else:
            if waiting:
                yield waiting
            waiting = mention
    if waiting:
        yield waiting


def _follows_at_once(text: str, first: DateMention, second: DateMention) -> bool:
    if first.precision != second.precision or first.precision not in (Precision.DAY, Precision.MONTH, Precision.YEAR):
        return False
    together = _AND.fullmatch(text, first.end, second.start)
    gap = days_of(second.first).first - days_of(first.first, first.last).last
    return together is not None and gap.days == 1
