"""Dating: which days the sentences of a document speak of, absolute dates and those counted from others (`anchors`).

News tell a date once and go on from it: what happens in their other sentences happened on the day told last, if that
was not long before the report, else on the day of the report. Such a date is `carried`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from services.chronology.days import days_of, first_day, parse_partial_date
from services.chronology.happenings import verbs_in
from services.chronology.roles import is_told, plans
from services.text.dates import DateMention, find_dates
from services.text.sentences import Sentence
from services.timeline.anchors import Anchors
from services.timeline.stretches import Stretch
from services.vocabulary.dates import PartialDate, Precision

_HINT = re.compile(r"\d{4}|\d0s\b|[Cc]entury|['’]\d\d")
_AND = re.compile(r"\s+and\s+(?:in\s+)?")
_LETTERS = re.compile(r"[^\W\d_]")
_THIS_WEEK = re.compile(
    r"(?<!Good )\b(?:[Yy]esterday|[Tt]onight|[Tt]his (?:morning|week)|[Ll]ast (?:night|week)|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b(?!,? \d|,? (?:[A-Z][a-z]+ )?\d)"
)
_OWN_DAYS = 1
"""Years between a document's date and the years it tells, up to which it reports its own days."""
_CARRIED_OVER = 40
"""Days before a report from which on a date told in it is carried to what follows (TimeSET: 3 is worse, 20 alike)."""
_SPOKEN = re.compile(r"\s*[\"“‘']|[^\"“”]*[\"“][^\"“”]*\Z|[^\"“”]*”")
"""Begins with quoted words, or holds one half of a quotation: somebody speaks."""
_BEFORE_THAT = re.compile(r"\b(?:had|having|previously|earlier)\b")
_STANDS = re.compile(r"\b(?:ha(?:s|ve)|be|being)\s+(?:(?:\w+ly|not|also|now|been|being)\s+)*\w+")
"""`has been closed`: what is so now, not what happened on a day."""
_DATELINES = 3
"""Lines at the beginning of a document that may be its dateline."""


@dataclass(frozen=True, slots=True)
class DatedSentence:
    """A sentence of a stretch and the dates it tells; offsets of the dates are in the sentence."""

    stretch: Stretch
    sentence: Sentence
    mentions: tuple[DateMention, ...]
    document_date: PartialDate | None
    carried: PartialDate | None = None
    """The day that what it tells happened on, unless a date of its own tells that."""
    in_news: bool = False
    """Whether its document tells of its own days as one does within the week: `on Friday`, `yesterday`."""


def date_document(stretches: Sequence[Stretch]) -> Iterator[DatedSentence]:
    """The sentences of one document that tell a date or have one carried to them, in order.

    Headings and datelines are left out; what follows them counts from their dates.
    """
    told = [[(sentence, _absolute(sentence.text)) for sentence in stretch.sentences] for stretch in stretches]
    absolute = [mentions for sentences in told for _, mentions in sentences]
    document = _document_date(stretches[0])
    is_news = bool(document and document.day) and any(_THIS_WEEK.search(stretch.text) for stretch in stretches)
    reports = is_news or _reports_own_days(document, absolute)
    for stretch, sentences in zip(stretches, told, strict=True):
        anchors, day = Anchors(document, reports), document if is_news else None
        body = _body_begins(stretch, sentences)
        for sentence, mentions in sentences:
            mentions = _all_mentions(sentence.text, mentions, anchors)
            anchors = anchors.after(sentence.text, mentions)
            own = tuple(mention for mention in mentions if not _is_dateline(sentence.text, mention))
            if sentence.heading:
                continue
            day = day and _goes_on_from(day, document, sentence.text, own)
            carried = day if sentence.start >= body and _goes_on(sentence.text) else None
            if own or carried:
                yield DatedSentence(stretch, sentence, own, document, carried, is_news)


def _body_begins(stretch: Stretch, sentences: Sequence[tuple[Sentence, Sequence[DateMention]]]) -> int:
    """Where a report begins below its dateline; the headline above tells no day of its own."""
    if not stretch.begins_document:
        return 0
    opening = sentences[:_DATELINES]
    return max((s.end for s, mentions in opening for m in mentions if _is_dateline(s.text, m)), default=0)


def _goes_on(sentence: str) -> bool:
    """Whether something happened in it by the report's own account, not before what was told last."""
    stands = _STANDS.search(sentence)
    told = sentence[: stands.start()] if stands else sentence
    spoken = _SPOKEN.match(sentence) or sentence.rstrip().endswith("?")
    return bool(verbs_in(told)) and not (spoken or _BEFORE_THAT.search(sentence) or plans(sentence))


def _goes_on_from(
    day: PartialDate, document: PartialDate | None, sentence: str, mentions: Sequence[DateMention]
) -> PartialDate:
    """The day told last, not long before the report: what follows happened on it; without one it is still `day`."""
    told = [mention.first for mention in mentions if mention.first.day and is_told(sentence, mention)]
    recent = [date for date in told if document and 0 <= days_between(date, document) <= _CARRIED_OVER]
    return recent[-1] if recent else day


def days_between(first: PartialDate, second: PartialDate) -> int:
    """Days from one date to another, each its first day."""
    return (first_day(second) - first_day(first)).days


def _is_dateline(text: str, mention: DateMention) -> bool:
    """Whether a date has its line for itself."""
    start, end = text.rfind("\n", 0, mention.start) + 1, text.find("\n", mention.end)
    line_end = end if end >= 0 else len(text)
    return not _LETTERS.search(text[start : mention.start] + text[mention.end : line_end])


def _absolute(text: str) -> tuple[DateMention, ...]:
    return find_dates(text) if _HINT.search(text) else ()


def _all_mentions(text: str, absolute: tuple[DateMention, ...], anchors: Anchors) -> tuple[DateMention, ...]:
    relative = anchors.resolve(text, absolute)
    return tuple(_joined(text, sorted({*absolute, *relative}, key=lambda mention: mention.start)))


def _document_date(opening: Stretch) -> PartialDate | None:
    """The date that the corpus gives, else that of a dateline at the very beginning."""
    given = parse_partial_date(opening.passage.date)
    if given or not opening.begins_document:
        return given
    lines = "\n".join(opening.text.strip().splitlines()[:_DATELINES])
    return next((mention.first for mention in _absolute(lines) if _is_dateline(lines, mention)), None)


def _reports_own_days(document: PartialDate | None, absolute: Iterable[Sequence[DateMention]]) -> bool:
    """Whether the years that a document with a day of its own tells are those of that day."""
    if document is None or not document.day:
        return False
    years = [mention.first.year for mentions in absolute for mention in mentions]
    return not years or abs(median(years) - document.year) <= _OWN_DAYS


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
