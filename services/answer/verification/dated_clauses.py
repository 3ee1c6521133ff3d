"""Assigns words to dates in sentences with several dates.

`Pioneer 10 came in 1973, and Galileo went into orbit in 1995` doesn't support that Pioneer 10 came in 1995. A clause
ends at a comma, a semicolon, a colon, a parenthesis, a dash, `and`, `but`, `while` or `whereas`. A date that is alone
in its clause belongs to the clause before it; in the first clause, it belongs to the next one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from libs.text.dates import DateMention
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims
from services.answer.verification.measures import date_borne_out

_BOUNDARY = re.compile(r"[,;:()–—]\s|\s(?:and|but|while|whereas)\s")


@dataclass(frozen=True, slots=True)
class _Dated:
    date: DateMention
    stems: frozenset[str]


def belonging_elsewhere(claimed: Claims, told: Claims) -> DateMention | None:
    """Return the first date of a claim whose words the source associates with another date; None if there is none.

    This must hold with and without names, because the names and places are often given only once.
    """
    if len(told.dates) < 2:
        return None
    sources = _dated(told)
    named = claimed.name_stems
    for claim in _dated(claimed):
        own = [source.stems for source in sources if date_borne_out(claim.date, [source.date])]
        others = [source.stems for source in sources if not date_borne_out(claim.date, [source.date])]
        if own and all(_most(stems, others) > _most(stems, own) for stems in (claim.stems, claim.stems - named)):
            return claim.date
    return None


def _most(stems: frozenset[str], clauses: Sequence[frozenset[str]]) -> int:
    return max((len(stems & clause) for clause in clauses), default=0)


def _dated(claims: Claims) -> list[_Dated]:
    """Each date with the stems of its clause; a single date with all stems."""
    if len(claims.dates) == 1:
        return [_Dated(claims.dates[0], frozenset(stems_of(claims.undated)))]
    text = claims.undated
    inside = [place for date in claims.dates for place in range(date.start, date.end)]
    cuts = [match.start() for match in _BOUNDARY.finditer(claims.text) if match.start() not in inside]
    edges = [0, *cuts, len(text)]
    stems = [frozenset(stems_of(text[start:end])) for start, end in pairwise(edges)]
    return [_Dated(date, _of_clause(stems, sum(cut <= date.start for cut in cuts))) for date in claims.dates]


def _of_clause(stems: Sequence[frozenset[str]], position: int) -> frozenset[str]:
    """The clause's stems, or those of the nearest clause with stems: before it, otherwise after it."""
    candidates = [*reversed(stems[: position + 1]), *stems[position + 1 :]]
    return next((found for found in candidates if found), frozenset())
