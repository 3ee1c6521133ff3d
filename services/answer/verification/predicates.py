"""Checks phrases that are easily invented: `the first to …`, `who …`, `because of …`, `… by …`.

A writer can attach such a phrase to correct words by guessing. It is supported only if the source has its verb, or
gives a reason where the phrase does.
"""

import re
from collections.abc import Sequence

from services.answer.lexicon.related_words import is_covered
from services.answer.lexicon.verbs import base_forms
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims

_UTMOST = re.compile(r"\b(?:first|last|only)\b[^,.;:]{0,40}?\bto (?P<verb>[a-z]{3,})\b")
_RELATIVE = re.compile(r", (?:who|which) (?P<verb>[a-z]{3,})\b")
_PASSIVE = re.compile(r"\b(?:was|were|is|are|been)\s+(?:\w+\s+){1,3}?by\b")
_STANDS_FOR = re.compile(r"\b(?:stands?|short) for (?P<tail>.+)")
_CLAUSE = re.compile(r", (?:but|and|while|who|which|where|when|although)\b|;")
_LEAST_OF_CLAUSE = 1
_REASON = re.compile(r"\b(?:because|due to|owing to|thanks to)\b", re.IGNORECASE)
_REASON_TOLD = re.compile(
    r"\b(?:because|due|owing|thanks|since|as|so|therefore|thus|hence|for|caus\w+|led|leads?|result\w*|reason\w*"
    r"|forced?|made|make\w*|when|if|mean\w*|prevent\w*|why|in order|after)\b|[:;–—]",
    re.IGNORECASE,
)


def has_predicates(claims: Claims, evidence: Claims) -> bool:
    """Whether the source has the verb of each `first to …` and `, who …`, and a reason if the claim gives one."""
    if _REASON.search(claims.text) and not _REASON_TOLD.search(evidence.text):
        return False
    verbs = [match["verb"] for match in _UTMOST.finditer(claims.text)]
    verbs += [match["verb"] for match in _RELATIVE.finditer(claims.text) if _is_past(match["verb"])]
    return all(is_covered(stem, evidence.stems) for verb in verbs for stem in stems_of(verb))


def has_clauses(claims: Claims, evidence: Sequence[Claims]) -> bool:
    """Whether one source sentence has both sides of `was … by …` and `stands for …`, and part of a date's clause.

    Args:
        claims: the sentence.
        evidence: the source sentences, each parsed separately.
    """
    return _has_agent(claims, evidence) and _has_expansion(claims, evidence) and _has_dated_clause(claims, evidence)


def _has_agent(claims: Claims, evidence: Sequence[Claims]) -> bool:
    passive = _PASSIVE.search(claims.text)
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
    expansion = _STANDS_FOR.search(claims.text)
    tails = [match["tail"] for sentence in evidence if (match := _STANDS_FOR.search(sentence.text))]
    if expansion is None or not tails:
        return True
    stems = frozenset(stems_of(expansion["tail"]))
    return any(2 * len(stems & frozenset(stems_of(tail))) > len(stems) for tail in tails)


def _has_dated_clause(claims: Claims, evidence: Sequence[Claims]) -> bool:
    if len(claims.dates) != 1:
        return True
    (date,) = claims.dates
    boundaries = [match.start() for match in _CLAUSE.finditer(claims.text)]
    start = max((boundary for boundary in boundaries if boundary < date.start), default=0)
    end = min((boundary for boundary in boundaries if boundary >= date.end), default=len(claims.text))
    clause = frozenset(stems_of(claims.text_without_dates[start:end])) - claims.name_stems
    evidence_stems = frozenset[str]().union(*(sentence.stems for sentence in evidence))
    is_covered_by_evidence = any(is_covered(stem, evidence_stems) for stem in clause)
    return not boundaries or len(clause) < _LEAST_OF_CLAUSE or is_covered_by_evidence


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word in base_forms()
