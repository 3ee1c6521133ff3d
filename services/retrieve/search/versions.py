"""Versions of a document, such as the policies of several years: a question about now is about the one that holds now.

Versions have one title but for a date or number, and their passages share most of their words. Which ones are outdated
depends on the moment of asking, not on how well they fit. Pure functions.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Final

from libs.chronology.told_days import days_in, days_of_document
from libs.contracts.evidence import Passage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.language.topics.questions import SearchRanges
from libs.text.tokens import tokenize
from services.retrieve.search.in_time import text_without_dates

READ: Final = 50
"""Candidates whose titles are compared: versions fit a question about equally well (taste)."""
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

    def newness(self, today: date) -> tuple[bool, date, tuple[int, ...]]:
        """Greater for a version that holds, then for a newer one."""
        since = self.since or date.min
        return since <= today, since, self.numbers


def asks_about_now(question: str) -> bool:
    """Whether a question asks for what holds now: `the current rate`, `how much is it now?`."""
    words = SearchRanges.of(reading_language(question, usual=ENGLISH))
    return words.present.search(words.other_senses.sub(" ", question)) is not None


def side_by_side(passages: Sequence[Passage | None], question: str, now: datetime) -> list[int]:
    """The positions in an order with all versions where the first of them is, and the one that is meant before others.

    That is the one that the question names, else the newest that holds `now`. A question about now leaves out those
    that do not hold.
    """
    named, today, is_about_now = set(_NUMBER.findall(question)), now.date(), asks_about_now(question)
    order: dict[int, list[int]] = {position: [position] for position in range(len(passages))}
    for versions in _versions(passages):
        meant = sorted(versions, key=lambda each: each.newness(today), reverse=True)
        if is_about_now and meant[0].since and meant[0].since <= today:
            meant = [each for each in meant if each.since == meant[0].since]
        meant.sort(key=lambda each: named.isdisjoint(_NUMBER.findall(each.title)))
        order.update((each.position, []) for each in versions)
        order[versions[0].position] = [each.position for each in meant]
    return [position for positions in order.values() for position in positions]


def _versions(passages: Sequence[Passage | None]) -> Iterator[Sequence[_Version]]:
    """Yield the passages that say the same in the versions of a document, at least two."""
    for group in _by_title(passages):
        rest = group
        while rest:
            first, *others = rest
            versions = [first, *(other for other in others if other.is_version_of(first))]
            rest = [other for other in others if other not in versions]
            if len(versions) > 1:
                yield versions


def _by_title(passages: Sequence[Passage | None]) -> Iterator[list[_Version]]:
    """Yield the passages of documents whose titles are the same but for a date or number, in their order."""
    titles = defaultdict[str, list[tuple[int, Passage]]](list)
    for position, passage in enumerate(passages):
        if passage and passage.title:
            titles[_form_of(passage.title, passage.language or ENGLISH)[0]].append((position, passage))
    for places in titles.values():
        if len({passage.document_id for _, passage in places}) > 1:
            versions = [_version(position, passage) for position, passage in places]
            yield [version for version in versions if version.since or version.numbers]


def _version(position: int, passage: Passage) -> _Version:
    _, numbers, since = _form_of(passage.title, passage.language or ENGLISH)
    days = days_of_document(passage) if since is None else ()
    since = days[0].first if days else since
    return _Version(position, passage.document_id, passage.title, numbers, since, _words_of(passage.text))


@lru_cache(maxsize=4096)  # taste
def _form_of(title: str, language: str) -> tuple[str, tuple[int, ...], date | None]:
    """A title without its dates and numbers, and these."""
    dateless, days = text_without_dates(title), days_in(title, language=language)
    numbers = tuple(int(part) for number in _NUMBER.findall(dateless) for part in number.split("."))
    return " ".join(_NUMBER.sub(" ", dateless).split()), numbers, days[0].first if days else None


@lru_cache(maxsize=4096)  # taste
def _words_of(text: str) -> frozenset[str]:
    return frozenset(token.text.lower() for token in tokenize(text) if not token.is_number)
