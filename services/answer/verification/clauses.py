"""Checks the clauses of a sentence: phrases that are easily invented, and dates that belong to another clause.

A writer can attach `who …`, `because of …` or `… by …` to correct words by guessing. Such a phrase is supported only
if the source has its verb, gives a reason, too, or has both sides in one sentence.

`Pioneer 10 came in 1973, and Galileo went into orbit in 1995` doesn't support that Pioneer 10 came in 1995. A clause
ends at a comma, a semicolon, a colon, a parenthesis, a dash or a conjunction such as `and`. A date that is alone
in its clause belongs to the clause before it; in the first clause, it belongs to the next one. Pure functions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from libs.language.topics.clauses import ClauseParts
from libs.text.dates.document_dates import DateMention
from services.answer.lexicon.related_words import is_covered
from services.answer.lexicon.words import is_past_form, stems_of
from services.answer.verification.claims import Claims
from services.answer.verification.measures import is_date_supported


def has_predicates(claims: Claims, evidence: Claims) -> bool:
    """Whether the source has the verb of each `, who …`, and a reason if the claim gives one."""
    forms, language = ClauseParts.of(claims.language), claims.language
    if forms.reason.search(claims.text) and not ClauseParts.of(evidence.language).reason_given.search(evidence.text):
        return False
    verbs = [match["verb"] for match in forms.relative_verb.finditer(claims.text)]
    stems = [stem for verb in verbs if is_past_form(verb, language) for stem in stems_of(verb, language)]
    return all(is_covered(stem, evidence.stems, language) for stem in stems)


def has_agent(claims: Claims, evidence: Sequence[Claims]) -> bool:
    """Whether one source sentence has both sides of `was … by …`.

    Args:
        claims: the sentence.
        evidence: the source sentences, each parsed separately.
    """
    passive = ClauseParts.of(claims.language).passive_agent.search(claims.text)
    if passive is None:
        return True
    objects = [name.text for name in claims.names if name.end <= passive.start()][-1:]
    agents = [name.text for name in claims.names if name.start >= passive.end()][:1]
    names = objects + agents
    return (
        len(names) < 2
        or any(all(name in sentence.text for name in names) for sentence in evidence)
        or not all(any(name in sentence.text for sentence in evidence) for name in names)
    )


@dataclass(frozen=True, slots=True)
class _DatedStems:
    date: DateMention
    stems: frozenset[str]


def misattributed_date(claims: Claims, evidence: Claims) -> DateMention | None:
    """Return the first date of a claim whose words the source associates with another date; None if there is none.

    This must hold with and without names, because the names and places are often given only once.
    """
    if len(evidence.dates) < 2:
        return None
    sources = _dated_stems(evidence)
    name_stems = claims.name_stems
    for dated in _dated_stems(claims):
        own_stems = [source.stems for source in sources if is_date_supported(dated.date, [source.date])]
        other_stems = [source.stems for source in sources if not is_date_supported(dated.date, [source.date])]
        if own_stems and all(
            _most_shared(stems, other_stems) > _most_shared(stems, own_stems)
            for stems in (dated.stems, dated.stems - name_stems)
        ):
            return dated.date
    return None


def _most_shared(stems: frozenset[str], clauses: Sequence[frozenset[str]]) -> int:
    return max((len(stems & clause) for clause in clauses), default=0)


def _dated_stems(claims: Claims) -> list[_DatedStems]:
    """Each date with the stems of its clause; a single date with all stems."""
    if len(claims.dates) == 1:
        return [_DatedStems(claims.dates[0], frozenset(stems_of(claims.text_without_dates, claims.language)))]
    text, boundary = claims.text_without_dates, ClauseParts.of(claims.language).date_boundary
    date_offsets = [offset for date in claims.dates for offset in range(date.start, date.end)]
    boundaries = [match.start() for match in boundary.finditer(claims.text) if match.start() not in date_offsets]
    edges = [0, *boundaries, len(text)]
    stems = [frozenset(stems_of(text[start:end], claims.language)) for start, end in pairwise(edges)]
    return [
        _DatedStems(date, _clause_stems(stems, sum(boundary <= date.start for boundary in boundaries)))
        for date in claims.dates
    ]


def _clause_stems(stems: Sequence[frozenset[str]], position: int) -> frozenset[str]:
    """The clause's stems, or those of the nearest clause with stems: before it, otherwise after it."""
    candidates = [*reversed(stems[: position + 1]), *stems[position + 1 :]]
    return next((candidate for candidate in candidates if candidate), frozenset())
