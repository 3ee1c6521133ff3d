"""Dating: the dates of the sentences of a document.

A sentence has the dates that it mentions, absolute ones and relative ones (`anchors`). Other sentences may get a
carried date: that of the heading above (`date_headings`), or in news the day mentioned last (`carried_dates`). No I/O.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from libs.chronology.date_headings import HeadingDate, date_of_headings
from libs.chronology.days import days_of
from libs.contracts.dates import PartialDate, Precision
from libs.language.topics.timelines import TimeAnchors
from libs.text.dates.document_dates import DateMention
from libs.text.sentences import Sentence
from services.timeline.reading.anchors import Anchors
from services.timeline.reading.carried_dates import continues_previous, dates_sentence_below, day_to_carry
from services.timeline.reading.document_genre import (
    DocumentGenre,
    SentenceDates,
    absolute_dates,
    body_begins,
    genre_of,
    is_dateline,
)
from services.timeline.reading.merged_passages import MergedPassage
from services.timeline.reading.text_blocks import TextBlock


@dataclass(frozen=True, slots=True)
class DatedSentence:
    """A sentence of a merged passage and its dates; the offsets of the dates are in the sentence."""

    merged_passage: MergedPassage
    sentence: Sentence
    block: TextBlock
    mentions: tuple[DateMention, ...]
    written_on: PartialDate | None
    """When it was written: the day of the heading above it, else the document's date."""
    carried_date: DateMention | None = None
    """The carried date, used if no date of its own applies; it has no text."""
    heading: str = ""
    """The text of the dating heading without the date, such as `Version 1.6.0`; empty if there is none."""
    in_news: bool = False
    """Whether its document is news, which refers to days of the week: `on Friday`, `yesterday`."""

    @property
    def language(self) -> str:
        """The document's language, English if unknown; ISO 639-1."""
        return self.merged_passage.language


def date_document(
    merged_passages: Sequence[MergedPassage], version: DateMention | None = None
) -> Iterator[DatedSentence]:
    """Yield the sentences of one document that have an own or a carried date, in order.

    Headings and datelines are left out; their dates are anchors for the text after them. `version` is the date of a
    document of which others are there of other dates: what it says below no dated heading holds then.
    """
    sentence_dates = [
        [(sentence, absolute_dates(sentence.text, merged_passage.language)) for sentence in merged_passage.sentences]
        for merged_passage in merged_passages
    ]
    genre = genre_of(merged_passages, sentence_dates)
    for merged_passage, sentences in zip(merged_passages, sentence_dates, strict=True):
        body = body_begins(merged_passage, sentences)
        yield from _SentenceDater(merged_passage, genre, body, version).read(sentences)


class _SentenceDater:
    """Dates the sentences of one merged passage in order."""

    def __init__(
        self, merged_passage: MergedPassage, genre: DocumentGenre, body: int, version: DateMention | None
    ) -> None:
        self._merged = merged_passage
        self._genre = genre
        self._body = body
        """Start of the text below the dateline."""
        self._version = version
        self._day = genre.date if genre.is_news else None
        """The day that news carry to sentences without a date."""
        self._block: TextBlock | None = None
        self._heading_date: HeadingDate | None = None
        self._language = merged_passage.language
        self._anchors = genre.anchors(None, self._language)

    def read(self, sentences: Sequence[SentenceDates]) -> Iterator[DatedSentence]:
        for sentence, absolute in sentences:
            block = self._merged.block_of(sentence)
            self._enter(block)
            mentions = _all_mentions(sentence.text, absolute, self._anchors)
            self._anchors = self._anchors.after(sentence.text, mentions)
            if not sentence.heading:
                yield from self._date_sentence(sentence, block, mentions)

    def _enter(self, block: TextBlock) -> None:
        """Reset the anchors if the headings change."""
        if self._block is None or block.headings != self._block.headings:
            self._heading_date = date_of_headings(block.headings, self._language)
            self._anchors = self._genre.anchors(self._heading_date, self._language)
        self._block = block

    def _date_sentence(
        self, sentence: Sentence, block: TextBlock, mentions: Sequence[DateMention]
    ) -> Iterator[DatedSentence]:
        own_dates = tuple(mention for mention in mentions if not is_dateline(sentence.text, mention))
        if self._day and self._genre.date:
            self._day = day_to_carry(self._day, self._genre.date, sentence.text, own_dates, self._language)
        carried_date = self._carried_date(sentence, block)
        if own_dates or carried_date:
            heading_date, genre = self._heading_date, self._genre
            written_on = (
                heading_date.date.first if heading_date and heading_date.date.precision is Precision.DAY else genre.date
            )
            heading = heading_date.words if heading_date and carried_date else ""
            yield DatedSentence(
                self._merged, sentence, block, own_dates, written_on, carried_date, heading, genre.is_news
            )

    def _carried_date(self, sentence: Sentence, block: TextBlock) -> DateMention | None:
        if self._heading_date:
            begins = block.is_list and self._merged.begins_line(sentence)
            is_item_start = not block.is_row and (begins or not block.is_list)
            applies = is_item_start and dates_sentence_below(sentence.text, begins, self._language)
            return self._heading_date.date if applies else None
        if self._version:
            return self._version
        if self._day and sentence.start >= self._body and continues_previous(sentence.text, self._language):
            return DateMention(self._day, self._day, Precision.DAY)
        return None


def _all_mentions(text: str, absolute: tuple[DateMention, ...], anchors: Anchors) -> tuple[DateMention, ...]:
    relative = anchors.resolve(text, absolute)
    mentions = sorted({*absolute, *relative}, key=lambda mention: mention.start)
    return tuple(_join_ranges(text, mentions, TimeAnchors.of(anchors.language).range_and))


def _join_ranges(text: str, mentions: Sequence[DateMention], range_and: re.Pattern[str]) -> Iterator[DateMention]:
    """Join adjacent dates into one range: `2016 and 2017`, `In April and May 2009`."""
    pending: DateMention | None = None
    for mention in mentions:
        if pending and _is_adjacent(text, pending, mention, range_and):
            words = text[pending.start : mention.end]
            pending = replace(pending, text=words, end=mention.end, last=mention.last)
        else:
            if pending:
                yield pending
            pending = mention
    if pending:
        yield pending


def _is_adjacent(text: str, first: DateMention, second: DateMention, range_and: re.Pattern[str]) -> bool:
    if first.precision != second.precision or first.precision not in (Precision.DAY, Precision.MONTH, Precision.YEAR):
        return False
    separator = range_and.fullmatch(text, first.end, second.start)
    gap = days_of(second.first).first - days_of(first.first, first.last).last
    return separator is not None and gap.days == 1
