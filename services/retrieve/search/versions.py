"""Versions of a document, such as the policies of several years: a question about now is about the one that holds now.

Versions have one title but for a date or number, and their passages share most of their words. Which ones are outdated
depends on the moment of asking, not on how well they fit. Pure functions.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from libs.chronology.told_days import days_in, days_of_document
from libs.contracts.evidence import Passage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.language.topics.questions import SearchRanges
from libs.text.tokens import tokenize
from services.retrieve.search.in_time import text_without_dates

READ: Final = 100
"""Candidates whose titles are compared: versions fit a question about equally well (taste)."""
SHOWN: Final = 30
"""First candidates of which the versions are brought together (taste)."""
SHARED: Final = 0.6
"""Least share of the shorter passage's words that a version of it has, too; figures may differ (taste)."""
_NUMBER: Final = re.compile(r"(?<![^\s(])v?(\d+(?:\.\d+)*)(?![\w-]|\.\d)")


@dataclass(frozen=True, slots=True)
class _Version:
    position: int
    document: str
    title: str
    numbers: tuple[int, ...]
    """Those of the title: of two versions of a program the newer one has the greater ones."""
    since: date | None
    words: frozenset[str]

    def is_version_of(self, other: "_Version") -> bool:
        """Whether two passages of documents with one title say the same but for figures."""
        least = SHARED * min(len(self.words), len(other.words))
        return self.document != other.document and len(self.words & other.words) >= least


def asks_about_now(question: str) -> bool:
    """Whether a question asks for what holds now: `the current rate`, `how much is it now?`."""
    words = SearchRanges.of(reading_language(question, usual=ENGLISH))
    return words.present.search(words.other_senses.sub(" ", question)) is not None


def outdated(passages: Sequence[Passage | None], now: datetime) -> list[int]:
    """The positions of passages of which a later version holds, or of which one holds while they do not yet."""
    groups = _by_title(passages)
    return [each.position for group in groups for each in group if _is_outdated(each, group, now.date())]


def side_by_side(passages: Sequence[Passage | None], question: str) -> list[int]:
    """The positions in an order with all versions where the first of them is: those the question names, the newest."""
    named = set(_NUMBER.findall(question))
    together: dict[int, list[int]] = {}
    taken = set[int]()
    for group in _by_title(passages):
        for first in group:
            others = [each for each in group if each.position not in taken and each.is_version_of(first)]
            if others and first.position not in taken:
                versions = sorted([first, *others], key=_newness, reverse=True)
                versions.sort(key=lambda each: named.isdisjoint(_NUMBER.findall(each.title)))
                together[first.position] = [each.position for each in versions]
                taken.update(together[first.position])
    return [at for first in range(len(passages)) for at in together.get(first, [] if first in taken else [first])]


def _by_title(passages: Sequence[Passage | None]) -> Iterable[Sequence[_Version]]:
    """The passages of documents whose titles are the same but for a date or number."""
    versions = defaultdict[str, list[_Version]](list)
    for position, passage in enumerate(passages):
        if passage and passage.title:
            days = days_in(passage.title, language=passage.language or ENGLISH) or days_of_document(passage)
            words = frozenset(token.text.lower() for token in tokenize(passage.text) if not token.is_number)
            dateless = text_without_dates(passage.title)
            numbers = tuple(int(part) for number in _NUMBER.findall(dateless) for part in number.split("."))
            if days or numbers:
                since = days[0].first if days else None
                title = " ".join(_NUMBER.sub(" ", dateless).split())
                versions[title].append(_Version(position, passage.document_id, passage.title, numbers, since, words))
    return versions.values()


def _newness(version: _Version) -> tuple[date, tuple[int, ...]]:
    return version.since or date.min, version.numbers


def _is_outdated(one: _Version, versions: Sequence[_Version], today: date) -> bool:
    if one.since is None:
        return False
    dated = [(other, other.since) for other in versions if other.since]
    return any(
        since <= today and not since <= one.since <= today and other.is_version_of(one) for other, since in dated
    )
