"""Checks phrases that are easily invented: `the first to …`, `who …`, `because of …`, `… by …`.

A writer can attach such a phrase to correct words by guessing. It is supported only if the source has its verb, or
gives a reason where the phrase does.
"""

from collections.abc import Sequence

from libs.language.topics.clauses import ClauseForms
from services.answer.lexicon.related_words import is_covered
from services.answer.lexicon.words import is_past_form, stems_of
from services.answer.verification.claims import Claims


def has_predicates(claims: Claims, evidence: Claims) -> bool:
    """Whether the source has the verb of each `first to …` and `, who …`, and a reason if the claim gives one."""
    forms, language = ClauseForms.of(claims.language), claims.language
    if forms.reason.search(claims.text) and not _gives_reason(evidence):
        return False
    verbs = [match["verb"] for match in forms.utmost_action.finditer(claims.text)]
    verbs += [
        match["verb"] for match in forms.relative_verb.finditer(claims.text) if is_past_form(match["verb"], language)
    ]
    return all(is_covered(stem, evidence.stems, language) for verb in verbs for stem in stems_of(verb, language))


def _gives_reason(evidence: Claims) -> bool:
    return ClauseForms.of(evidence.language).reason_given.search(evidence.text) is not None


def has_clauses(claims: Claims, evidence: Sequence[Claims]) -> bool:
    """Whether one source sentence has both sides of `was … by …` and `stands for …`, and part of a date's clause.

    Args:
        claims: the sentence.
        evidence: the source sentences, each parsed separately.
    """
    return _has_agent(claims, evidence) and _has_expansion(claims, evidence) and _has_dated_clause(claims, evidence)


def _has_agent(claims: Claims, evidence: Sequence[Claims]) -> bool:
    passive = ClauseForms.of(claims.language).passive_agent.search(claims.text)
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


def _has_expansion(claims: Claims, evidence: Sequence[Claims]) -> bool:
    stands_for, language = ClauseForms.of(claims.language).stands_for, claims.language
    expansion = stands_for.search(claims.text)
    tails = [match["tail"] for sentence in evidence if (match := stands_for.search(sentence.text))]
    if expansion is None or not tails:
        return True
    stems = frozenset(stems_of(expansion["tail"], language))
    return any(2 * len(stems & frozenset(stems_of(tail, language))) > len(stems) for tail in tails)


def _has_dated_clause(claims: Claims, evidence: Sequence[Claims]) -> bool:
    if len(claims.dates) != 1:
        return True
    (date,) = claims.dates
    forms, language = ClauseForms.of(claims.language), claims.language
    boundaries = [match.start() for match in forms.added_clause.finditer(claims.text)]
    start = max((boundary for boundary in boundaries if boundary < date.start), default=0)
    end = min((boundary for boundary in boundaries if boundary >= date.end), default=len(claims.text))
    clause = frozenset(stems_of(claims.text_without_dates[start:end], language)) - claims.name_stems
    evidence_stems = frozenset[str]().union(*(sentence.stems for sentence in evidence))
    is_covered_by_evidence = any(is_covered(stem, evidence_stems, language) for stem in clause)
    return not boundaries or not clause or is_covered_by_evidence
