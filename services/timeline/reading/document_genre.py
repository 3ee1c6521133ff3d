"""Document genre: how a document relates to its dates. News report on their own days, others on earlier ones. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from libs.chronology.date_headings import HeadingDate
from libs.chronology.days import parse_partial_date
from libs.contracts.dates import PartialDate, Precision
from libs.language.topics.timelines import TimeAnchors
from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.limits import MAX_SENTENCE
from libs.text.sentences import Sentence
from services.timeline.reading.anchors import Anchors
from services.timeline.reading.merged_passages import MergedPassage

SentenceDates = tuple[Sentence, tuple[DateMention, ...]]
"""A sentence and its absolute dates."""
_DIGITS: Final = re.compile(r"\d\d")
_LETTERS: Final = re.compile(r"[^\W\d_]")
_OWN_DAYS: Final = 1
"""Maximum years between a document's date and the median year that it mentions to report on its own days (by hand)."""
_DATELINES: Final = 3
"""Number of lines at the beginning of a document that may be its dateline (taste)."""


@dataclass(frozen=True, slots=True)
class DocumentGenre:
    """The date of a document, and whether it reports on its own days."""

    date: PartialDate | None
    """The document's date, from the corpus or from its dateline."""
    reports: bool
    """Whether it reports on its own days, so that dates without a year are in its year."""
    is_news: bool
    """Whether it is news, which refers to days of the week: `on Friday`, `yesterday`."""

    def anchors(self, heading_date: HeadingDate | None, language: str) -> Anchors:
        """Return the anchors for the first sentence of a section; a heading's day counts as the day of a report."""
        if heading_date is None:
            return Anchors(self.date, self.reports, language=language)
        if heading_date.date.precision is Precision.DAY:
            first = heading_date.date.first
            return Anchors(first, reports=True, last=first, language=language)
        return Anchors(self.date, reports=False, last=heading_date.date.first, language=language)


def absolute_dates(text: str, language: str) -> tuple[DateMention, ...]:
    """Return the dates of a sentence that need no anchor."""
    has_hint = _DIGITS.search(text) or TimeAnchors.of(language).date_hint.search(text)
    return find_dates(text, language=language) if has_hint else ()


def genre_of(
    merged_passages: Sequence[MergedPassage], sentence_dates: Iterable[Sequence[SentenceDates]]
) -> DocumentGenre:
    """Return the genre of a document from its merged passages, their sentences and absolute dates."""
    date = _document_date(merged_passages[0])
    years = [mention.first.year for sentences in sentence_dates for _, mentions in sentences for mention in mentions]
    has_day = date is not None and date.day > 0
    own_days = date is not None and has_day and (not years or abs(median(years) - date.year) <= _OWN_DAYS)
    words = TimeAnchors.of(merged_passages[0].language)
    is_news = has_day and _holds(words.day_of_report, merged_passages)
    reports = is_news or own_days or (has_day and _holds(words.from_now, merged_passages))
    return DocumentGenre(date, reports, is_news)


def _holds(pattern: re.Pattern[str], merged_passages: Sequence[MergedPassage]) -> bool:
    return any(pattern.search(merged_passage.text) for merged_passage in merged_passages)


def is_dateline(text: str, mention: DateMention) -> bool:
    """Whether a date is alone on its line."""
    start, end = text.rfind("\n", 0, mention.start) + 1, text.find("\n", mention.end)
    line_end = end if end >= 0 else len(text)
    return not _LETTERS.search(text[start : mention.start] + text[mention.end : line_end])


def body_begins(merged_passage: MergedPassage, sentences: Sequence[SentenceDates]) -> int:
    """Return where a report begins below its dateline, since the headline above gets no carried date."""
    if not merged_passage.begins_document:
        return 0
    opening = sentences[:_DATELINES]
    return max(
        (sentence.end for sentence, mentions in opening for mention in mentions if is_dateline(sentence.text, mention)),
        default=0,
    )


def _document_date(opening: MergedPassage) -> PartialDate | None:
    """Return the date from the corpus, else the day of a dateline at the very beginning, or None."""
    date = parse_partial_date(opening.passage.date)
    if date or not opening.begins_document:
        return date
    beginning = opening.text.lstrip()[: _DATELINES * MAX_SENTENCE]
    lines = "\n".join(beginning.rstrip().splitlines()[:_DATELINES])
    mentions = absolute_dates(lines, opening.language)
    return next((mention.first for mention in mentions if mention.first.day and is_dateline(lines, mention)), None)
