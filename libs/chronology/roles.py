"""Classifies a date in a sentence: the date of the sentence's event, or of something mentioned in passing."""

import re
from enum import Enum

from libs.contracts.dates import PartialDate, Precision
from libs.language.topics.timelines import DateRoles
from libs.text.dates.document_dates import DateMention


class Role(Enum):
    """The role of a date in its sentence; the value is how likely the event lies on it, in (0, 1]."""

    EVENT = 1.0
    """The date of the event: `On 20 July 1969 …`, `… landed in 1976`."""
    CARRIED = 0.7
    """Taken from an earlier sentence or from the report's date: `Eighteen people died.` (taste)"""
    BOUND = 0.6
    """One end of a period: `until 1976`, `missing since December 2003`, `by 1980` (taste)."""
    PLANNED = 0.3
    """In the future at that time, or now: `is planned for 2031` (taste)."""
    ASIDE = 0.25
    """The date of something else: `the 1971 mission`, `named after Kepler, born in 1571`, `(1564–1642)` (taste)."""


_NEXT_WORD = re.compile(r"[ -][^\W\d_]")


def role_of(text: str, mention: DateMention, document_date: PartialDate | None = None, *, language: str) -> Role:
    """The role of the date `mention` in the sentence `text`; a date after `document_date` is planned."""
    if document_date and mention.first.first_day > document_date.last_day:
        return Role.PLANNED
    if _is_aside(text, mention, language):
        return Role.ASIDE
    if is_planned(text, mention, language):
        return Role.PLANNED
    return Role.BOUND if DateRoles.of(language).bound.search(_before(text, mention)) else Role.EVENT


def is_told(text: str, mention: DateMention, language: str) -> bool:
    """Whether later relative dates, such as `the next day`, count from this date."""
    return not _is_aside(text, mention, language)


def _before(text: str, mention: DateMention) -> str:
    return text[: mention.start]


def _is_aside(text: str, mention: DateMention, language: str) -> bool:
    roles, before, after = DateRoles.of(language), _before(text, mention), text[mention.end :]
    if roles.compared.search(before) or roles.life.search(before) or roles.since_clause.search(before):
        return True
    if roles.determiner.search(before) and mention.precision not in (Precision.SEASON, Precision.DAY):
        return bool(_NEXT_WORD.match(after)) and not roles.not_noun.match(after)
    if roles.years_of_life.search(before) and after.startswith(")"):
        return True
    return roles.of_date.search(before) is not None


def is_planned(text: str, mention: DateMention, language: str) -> bool:
    """Whether the clause of the date contains a word of intention."""
    clause_end = DateRoles.of(language).clause_end
    starts = [match.end() for match in clause_end.finditer(text, 0, mention.start)]
    end = clause_end.search(text, mention.end)
    return plans(text[max(starts, default=0) : end.start() if end else len(text)], language)


def plans(clause: str, language: str) -> bool:
    """Whether a clause contains a word of intention."""
    roles = DateRoles.of(language)
    return bool(roles.planned.search(roles.carried_out.sub("", clause)))
