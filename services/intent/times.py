"""Times in a question: their exact ranges, and whether they filter documents or boost passages.

`What landed on Mars in 2012?` asks about events: documents of any date may describe them, so passages about 2012 rank
higher (BOOST). `News of last week` and `reports published since May` ask for documents by date: others are excluded
(FILTER). In doubt it is a boost, because a wrong filter finds nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from libs.contracts.dates import TimeRange
from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded, GroundedKind, RangeUse
from libs.text.dates import find_dates
from libs.text.relative_time import TimeMention, find_time_ranges
from services.intent.groundings import Grounding
from services.intent.range_words import in_words, iso

_PUBLICATION = (
    r"(?:news|headlines?|articles?|reports?|papers?|publications?|posts?|press\s+releases?|blogs?|documents?|bulletins?|"
    r"newsletters?|coverage|updates|stories|announcements|memos?|filings)"
)
_NEWS = re.compile(r"\b(?:news|headlines?|press\s+releases?|what(?:'|’)?s\s+new|(?:what\s+is|anything)\s+new)\b", re.I)
_NOUN = re.compile(rf"\b{_PUBLICATION}\b", re.I)
_NEW = re.compile(rf"\b(?:latest|newest|recent|new|fresh|current)\s+(?:\w+\s+)?{_PUBLICATION}\b", re.I)
_PUBLISHED = re.compile(r"\b(?:published|posted)(?:\s+\w+){0,3}\s*\Z", re.I)
_ISSUED = re.compile(
    r"\b(?:released|issued|dated|written|uploaded|appeared|filed|printed|added|updated)(?:\s+\w+){0,3}\s*\Z", re.I
)
_CLAUSE = re.compile(
    r"\b(?:did|do|does|is|are|was|were|has|have|had|will|would|can|that|what|which|who|when|where|how|why|happen\w*)\b",
    re.I,
)
_POSSESSED = re.compile(rf"['’]s?\s+(?:\w+\s+){{0,2}}?{_PUBLICATION}\b", re.I)
_LINK = re.compile(r"\s+(?:(?:from|of|in|during|dated|for)\s+)?(?:the\s+)?\Z", re.I)
_ABOUT = re.compile(r"\b(?:about|concerning|regarding|covering)\s+(?:the\s+)?\Z", re.I)
_LEADING = re.compile(r"\b(?:as\s+of|in|on|at|during|over|within|throughout|of|from|for)\s+(?:the\s+)?\Z", re.I)
_PRESENT = re.compile(r"\b(?:is|are|do|does|can|still|has|have)\b", re.I)
_HAPPENS = re.compile(r"\b(?:happen\w*|launch\w*|schedul\w*|due|weather|news)\b", re.I)
_WHY: Final = {
    "vague": "left as it stands: it tells no exact time",
    "impossible": "left as it stands: the calendar has no such time",
    "outside": "left as it stands: it lies outside the years 1 to 9999",
}


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a question."""

    groundings: tuple[Grounding, ...] = ()
    time_range: TimeRange | None = None
    """From the start of the first range to the end of the last; None if the question has no range."""
    use: RangeUse | None = None


def ground_times(question: str, now: datetime) -> Times:
    """Find the times in a question and decide how retrieval uses them.

    Args:
        question: the standalone question.
        now: the time of asking, aware, in the user's time zone.
    """
    mentions = find_time_ranges(question, now)
    time_phrases = [(mention, _reason_to_leave(question, mention)) for mention in mentions]
    ranges = [mention.range for mention, reason in time_phrases if mention.range is not None and not reason]
    if not ranges:
        return Times(tuple(_leave(mention, reason) for mention, reason in time_phrases))
    is_filter = all(
        _asks_for_documents(question, mention)
        for mention, reason in time_phrases
        if mention.range is not None and not reason
    )
    use = RangeUse.FILTER if is_filter else RangeUse.BOOST
    return Times(
        tuple(
            _leave(mention, reason) if reason else _ground(question, mention, use) for mention, reason in time_phrases
        ),
        _hull(ranges),
        use,
    )


def _reason_to_leave(question: str, mention: TimeMention) -> str:
    """Return the reason for not grounding a phrase; empty for a phrase that is grounded."""
    if mention.range is None:
        return _WHY[mention.why or "vague"]
    if _is_part_of_a_name(question, mention):
        return "left as it stands: it is written like a part of a name"
    if mention.text.lower() in _SEASONS:
        return "left as it stands: it tells no year"
    after = question[mention.end : mention.end + 2].replace("’", "'")
    rest = question[: mention.start] + question[mention.end :]
    if mention.text.lower() == "today" and after != "'s" and _PRESENT.search(rest) and not _HAPPENS.search(rest):
        return "left as it stands: it speaks of the present, not of one day"
    return ""


def _is_part_of_a_name(question: str, mention: TimeMention) -> bool:
    """Whether capitals suggest a name: `the film Yesterday`, `Black Friday`."""
    before = question[: mention.start].split()
    if mention.kind == "date" or not before or before[-1][-1] in ".?!:":
        return False
    capitalised_adverb = mention.text[0].isupper() and mention.text.split()[0].lower() in _ADVERBS
    return capitalised_adverb or (mention.kind == "weekday" and len(before) > 1 and before[-1][0].isupper())


_SEASONS: Final = frozenset({"spring", "summer", "autumn", "fall", "winter"})
_ADVERBS: Final = frozenset({"yesterday", "today", "tomorrow", "tonight", "last", "next", "this", "past", "the"})


def _leave(mention: TimeMention, reason: str) -> Grounding:
    return Grounding(_grounded_time(mention, "", reason))


def _ground(question: str, mention: TimeMention, use: RangeUse) -> Grounding:
    assert mention.range is not None
    effect = "documents of that time only" if use is RangeUse.FILTER else "passages that speak of that time first"
    if find_dates(mention.text):
        return Grounding(_grounded_time(mention, iso(mention.range), f"an absolute time: {effect}"))
    words = in_words(mention.range, mention.kind)
    span, words = _place(question, mention, words)
    return Grounding(
        _grounded_time(mention, iso(mention.range), f"counted from the asker's date: {effect}"), span, words
    )


def _grounded_time(mention: TimeMention, value: str, reason: str) -> Grounded:
    return Grounded(GroundedKind.TIME, mention.text, Span(mention.start, mention.end), value, reason)


def _place(question: str, mention: TimeMention, words: str) -> tuple[Span, str]:
    """Return the span to replace and the text: the phrase with its preposition; after a possessive, add brackets."""
    if question[mention.end : mention.end + 1] in "'’" and mention.end < len(question):
        end = mention.end + (2 if question[mention.end + 1 : mention.end + 2] == "s" else 1)
        return Span(end, end), f" ({words})"
    leading = _LEADING.search(question, 0, mention.start)
    return Span(leading.start() if leading else mention.start, mention.end), words


def _hull(ranges: Sequence[TimeRange]) -> TimeRange:
    starts, ends = [time_range.start for time_range in ranges], [time_range.end for time_range in ranges]
    start = None if None in starts else min(s for s in starts if s)
    end = None if None in ends else max(e for e in ends if e)
    return TimeRange(start, end)


def _asks_for_documents(question: str, mention: TimeMention) -> bool:
    """Whether the phrase dates the documents themselves, not their content."""
    before = question[: mention.start]
    if _POSSESSED.match(question, mention.end) or _PUBLISHED.search(before):
        return True
    nouns = list(_NOUN.finditer(before))
    if _ISSUED.search(before):
        return bool(nouns)
    news = _NEWS.search(before)
    if news and not _CLAUSE.search(before, news.end()):
        return True
    if not nouns:
        return False
    between = before[nouns[-1].end() :]
    if _CLAUSE.search(between) or _ABOUT.search(between):
        return False
    relative = not find_dates(mention.text)
    return relative or _LINK.match(between) is not None or _NEW.search(before) is not None
