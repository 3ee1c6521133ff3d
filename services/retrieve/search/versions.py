"""Versions of a document, such as the policies of several years: a question about now is about the one that holds now.

Versions have one title but for its date, and their passages share most of their words. Which ones are outdated depends
on the moment of asking, not on how well they fit. Pure functions.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from libs.chronology.days import Days
from libs.chronology.told_days import days_in, days_of_document
from libs.contracts.evidence import Passage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.language.topics.questions import SearchRanges
from libs.text.tokens import tokenize
from services.retrieve.search.in_time import text_without_dates

READ: Final = 100
"""Candidates whose titles are compared: versions fit a question about equally well (taste)."""
SHARED: Final = 0.6
"""Least share of the shorter passage's words that a version of it has, too; figures may differ (taste)."""


@dataclass(frozen=True, slots=True)
class _Version:
    position: int
    since: date
    words: frozenset[str]


def asks_about_now(question: str) -> bool:
    """Whether a question asks for what holds now: `the current rate`, `how much is it now?`."""
    words = SearchRanges.of(reading_language(question, usual=ENGLISH))
    return words.present.search(words.other_senses.sub(" ", question)) is not None


def outdated(passages: Sequence[Passage | None], now: datetime) -> list[int]:
    """The positions of passages of which a later version holds, or of which one holds while they do not yet."""
    versions = defaultdict[str, list[_Version]](list)  # by their titles
    for position, passage in enumerate(passages):
        if passage and passage.title and (days := _days_of(passage)):
            words = frozenset(token.text.lower() for token in tokenize(passage.text) if not token.is_number)
            title = " ".join(text_without_dates(passage.title).split())
            versions[title].append(_Version(position, days[0].first, words))
    return [each.position for dated in versions.values() for each in dated if _is_outdated(each, dated, now.date())]


def _days_of(passage: Passage) -> tuple[Days, ...]:
    return days_in(passage.title, language=passage.language or ENGLISH) or days_of_document(passage)


def _is_outdated(one: _Version, versions: Sequence[_Version], today: date) -> bool:
    better = [other for other in versions if other.since <= today and not other.since <= one.since <= today]
    return any(len(one.words & other.words) >= SHARED * min(len(one.words), len(other.words)) for other in better)
