"""Dating: which days the sentences of a document speak of.

A sentence has the dates that it tells, absolute ones and those counted from others (`anchors`). One that tells none may
have a date carried to it: that of the heading it stands under (`headed`), or in news that of the day told last
(`carrying`).
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
    """A sentence of a merged passage and the dates it tells; offsets of the dates are in the sentence."""

    merged: MergedPassage
    sentence: Sentence
    place: Place
    mentions: tuple[DateMention, ...]
    written: PartialDate | None
    """When it was written: the day of the heading above it, else the document's date."""
    carried: DateMention | None = None
    """When what it tells happened, unless a date of its own tells that; without words."""
    heading: str = ""
    """What the heading that dates it says beside the date: `Version 1.6.0`; empty where none does."""
    in_news: bool = False
    """Whether its document tells of its own days as one does within the week: `on Friday`, `yesterday`."""


def date_document(merged_passages: Sequence[MergedPassage]) -> Iterator[DatedSentence]:
    """The sentences of one document that tell a date or have one carried to them, in order.

    Headings and datelines are left out; what follows them counts from their dates.
    """
    told = [[(sentence, absolute_dates(sentence.text)) for sentence in merged.sentences] for merged in merged_passages]
    account = account_of(merged_passages, told)
    for merged, sentences in zip(merged_passages, told, strict=True):
        yield from _Reader(merged, account, body_begins(merged, sentences)).read(sentences)


class _Reader:
    """Goes through one merged passage, from one date to the next."""

    def __init__(self, merged: MergedPassage, account: Account, body: int) -> None:
        self._merged = merged
        self._account = account
        self._body = body
        """Where the account begins below its dateline."""
        self._day = account.date if account.is_news else None
        """What news go on from."""
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
        """Below other headings nothing counts from what was told above them."""
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
    """`2016 and 2017`, `In April and May 2009`: neighbours told together are one stretch of time."""
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
