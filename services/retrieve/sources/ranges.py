"""Where to search for a question: everywhere, in the news, or in the news of the last days.

The range is detected from the wording alone, so it costs nothing and has a stated reason. Its meaning (sources, dates,
the web) is configurable. If neither a web search engine nor news sources are configured, a range has no effect.
"""

import re
from datetime import datetime, timedelta
from typing import Final

from libs.contracts.dates import TimeRange
from libs.contracts.query import Filters
from libs.contracts.stages.retrieve import DetectedRange, SearchRange
from services.retrieve.sources.settings import RangeSettings
from services.retrieve.sources.web import WEB


def _any(*phrases: str) -> re.Pattern[str]:
    """A pattern for any of the phrases as whole words, ignoring case; a possessive suffix ("today's") is included."""
    return re.compile(rf"\b(?:{'|'.join(phrases)})(?:['’]s)?(?!\w)", re.IGNORECASE)


_HISTORY: Final = _any(
    "history|historic(?:al|ally)?|historians?|ancient|medieval|prehistoric|century|centuries|BCE?|AD",
    "origins? of",
    "who (?:first )?(?:invented|discovered|founded)",
    "on this day in",
)
_HABIT: Final = _any(
    r"(?:still|known|called|named|used|remains?|survives?|exists?|think of|as we \w{1,20} it)\b[^.?!]{0,60}\btoday",
    "(?:until|of) today",
    "today (?:known|called|named|used)",
)
"""Phrases in which "today" is the end of a long time."""
_HOT: Final = _any(
    r"(?:latest|newest|most recent) (?:\w{1,20} )?(?:news|updates?|headlines?|developments?|results?|status)",
    r"the latest(?= (?:on|about|from|in|with|at)\b|\s*[.?!]?\s*$)",
    "breaking|today|tonight|yesterday|right now|at the moment|as we speak",
    "this (?:morning|afternoon|evening|week|weekend)|last (?:night|week|weekend)",
    "just (?:been )?(?:announced|released|happened|launched|landed|died|won)",
    "(?:last|past) (?:few |couple of )?(?:hours|days)",
    r"what(?:['’]s| is) (?:new|happening|going on)",
)
_NEWS: Final = _any(
    "news|headlines?|newscasts?|press (?:coverage|releases?|reports?)",
    "latest|newest|most recent|recent(?:ly)?|current(?:ly)?|lately|nowadays|up[- ]to[- ]date",
    "this (?:month|year)|last month|so far this",
)
_NAME: Final = re.compile(r"\b[A-Z]\w{0,20} News\b|\bNews (?:Corp|International|of the World)\b")
"""Names that contain "news"."""
_PHYSICS: Final = _any(
    "(?:electric|electrical|ocean|sea|alternating|direct|eddy|jet|leakage|air|tidal) current",
    "current (?:flow|density|source|divider|transformer)",
)
LONGEST: Final = 1000
"""Characters of a question that are examined; the relevant words come early."""
_YEAR: Final = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")


class RangeDetector:
    """Maps questions to ranges, and ranges to filters."""

    def __init__(self, settings: RangeSettings, web: bool) -> None:
        """`web`: whether a web search engine is configured."""
        self._settings = settings
        self._web = web

    def detect(self, question: str, now: datetime) -> DetectedRange:
        """The range of a standalone question; its dates are relative to `now`, which must be timezone-aware."""
        search_range, reason = range_of(question, now)
        sources = tuple(source for source in self._sources(search_range) if source != WEB or self._web)
        web = self._web and not sources and search_range is not SearchRange.GENERAL
        if not sources and not web:
            remark = (
                ""
                if search_range is SearchRange.GENERAL
                else "; no source of news is configured: everything is searched"
            )
            return DetectedRange(search_range, reason + remark)
        dates = None
        if search_range is SearchRange.HOT:
            dates = TimeRange(start=now - timedelta(days=self._settings.hot_days))
        filters = Filters(dates=dates, sources=sources) if dates or sources else None
        return DetectedRange(search_range, reason, filters, web)

    def _sources(self, search_range: SearchRange) -> tuple[str, ...]:
        settings = self._settings
        if search_range is SearchRange.GENERAL:
            return settings.general_sources
        return settings.news_sources if search_range is SearchRange.NEWS else settings.hot_sources


def range_of(question: str, now: datetime) -> tuple[SearchRange, str]:
    """The range that a question's wording asks for, and why.

    History takes precedence over everything else; a past year rules out the last days.
    """
    question = question[:LONGEST]
    if match := _HISTORY.search(question):
        return SearchRange.GENERAL, f'it asks about history ("{match[0]}")'
    bare = _PHYSICS.sub(" ", _NAME.sub(" ", _HABIT.sub(" ", question)))
    over = [year for year in map(int, _YEAR.findall(question)) if year < now.year - 1]
    hot, news = _HOT.search(bare), _NEWS.search(bare)
    if hot and not over:
        return SearchRange.HOT, f'it asks for the newest news ("{hot[0].strip()}")'
    if over and not (news and "news" in news[0].lower()):
        return SearchRange.GENERAL, f"it asks about {over[0]}"
    if match := news or hot:
        return SearchRange.NEWS, f'it asks for news ("{match[0].strip()}")'
    return SearchRange.GENERAL, "nothing in it asks for news"
