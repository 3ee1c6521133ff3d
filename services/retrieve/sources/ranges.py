"""Where to search for a question: everywhere, in the news, or in the news of the last days.

The range is detected from the wording alone, so it costs nothing and has a stated reason. Its meaning (sources, dates,
the web) is configurable. If neither a web search engine nor news sources are configured, a range has no effect. Pure.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pydantic import Field

from libs.contracts.dates import TimeRange
from libs.contracts.query import Filters
from libs.contracts.stages.retrieve import DetectedRange, SearchRange
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.language.topics.questions import SearchRanges
from libs.runtime.settings import AreaSettings
from services.retrieve.sources.web import WEB

MAX_QUESTION_CHARACTERS: Final = 1000
"""Characters of a question that are examined; the relevant words come early (taste)."""
_YEAR: Final = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")  # 1000 to 2099 (taste)


class RangeSettings(AreaSettings, area="retrieve_range"):
    """The sources and dates for questions about news, and about the latest news."""

    news_sources: tuple[str, ...] = ()
    """Sources of the corpus that hold news, such as ["newswire"], and "web".

    Empty: everything, and the web if an engine is configured.
    """
    hot_sources: tuple[str, ...] = ()
    """The same for the latest news."""
    hot_days: float = Field(default=7.0, gt=0, le=3660)  # taste
    """Number of days that count as the latest news."""
    general_sources: tuple[str, ...] = ()
    """The same for every other question; empty: everything but the web."""


@dataclass(frozen=True, slots=True)
class RangeDetector:
    """Maps questions to ranges, and ranges to filters."""

    settings: RangeSettings
    web: bool
    """Whether a web search engine is configured."""

    def detect(self, question: str, now: datetime) -> DetectedRange:
        """The range of a standalone question; its dates are relative to `now`, which must be timezone-aware."""
        language = reading_language(question[:MAX_QUESTION_CHARACTERS], usual=ENGLISH)
        search_range, reason = range_of(question, now, language)
        sources = tuple(source for source in self._sources(search_range) if source != WEB or self.web)
        web = self.web and not sources and search_range is not SearchRange.GENERAL
        if not sources and not web:
            remark = "; no source of news is configured: everything is searched"
            return DetectedRange(search_range, reason + (remark if search_range is not SearchRange.GENERAL else ""))
        dates = None
        if search_range is SearchRange.HOT:
            dates = TimeRange(start=now - timedelta(days=self.settings.hot_days))
        filters = Filters(dates=dates, sources=sources) if dates or sources else None
        return DetectedRange(search_range, reason, filters, web)

    def _sources(self, search_range: SearchRange) -> tuple[str, ...]:
        settings = self.settings
        if search_range is SearchRange.GENERAL:
            return settings.general_sources
        return settings.news_sources if search_range is SearchRange.NEWS else settings.hot_sources


def range_of(question: str, now: datetime, language: str) -> tuple[SearchRange, str]:
    """The range that a question's wording asks for, and why.

    History takes precedence over everything else; a past year rules out the last days.
    """
    question, words = question[:MAX_QUESTION_CHARACTERS], SearchRanges.of(language)
    if match := words.history.search(question):
        return SearchRange.GENERAL, f'it asks about history ("{match[0]}")'
    bare = words.other_senses.sub(" ", words.names.sub(" ", words.habit.sub(" ", question)))
    over = [year for year in map(int, _YEAR.findall(question)) if year < now.year - 1]  # last year may be news (taste)
    hot, news = words.hot.search(bare), words.news.search(bare)
    if hot and not over:
        return SearchRange.HOT, f'it asks for the newest news ("{hot[0].strip()}")'
    if over and not (news and words.news_word.search(news[0])):
        return SearchRange.GENERAL, f"it asks about {over[0]}"
    if match := news or hot:
        return SearchRange.NEWS, f'it asks for news ("{match[0].strip()}")'
    return SearchRange.GENERAL, "nothing in it asks for news"
