"""Finds denials that only one of two sentences has. Numbers that name no source are chosen by hand. Pure."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from libs.language.topics.clauses import Negation
from services.answer.lexicon.related_words import covered_share, is_covered
from services.answer.verification.claims import Claims
from services.answer.verification.denials import Denial
from services.answer.verification.opposites import states_contrary

NOT_DENIED = "The source doesn't deny this."
DENIED = "The source denies this."
_ALIKE = 0.4
"""Share of the claim's words from which the source tells of the same, even without the denied verb."""
_MOSTLY_COPIED = 0.7
"""Share of a sentence's words in the other one with which a short clause around a negator suffices."""
_COPIED = 3
"""This many stems in the same order indicate copying; coincidence is rare (taste)."""
_NEAR = 2
"""Content words before the denied one among which its negator stands (taste)."""
_SAME_SUBJECT = 2
"""Words before two negators that both have, so that they deny the same of the same thing (taste)."""


def negation_findings(claims: Claims, evidence: Claims) -> Iterator[str]:
    """Yield a finding if the source states what the claim denies, or denies what the claim states."""
    is_alike = _share(claims, evidence) >= _ALIKE
    if any(_is_stated(denial, claims, evidence, is_alike) for denial in claims.denials):
        yield NOT_DENIED
    if any(_is_stated(denial, evidence, claims) for denial in evidence.denials):
        yield DENIED


def are_denials_supported(claims: Claims, evidence: Claims) -> bool:
    """Whether the source denies everything that the claim denies; True if it denies nothing."""
    return all(denial.supposed or _denies_too(denial, claims, evidence) for denial in claims.denials)


def _is_stated(denial: Denial, sentence: Claims, other: Claims, is_alike: bool = False) -> bool:
    """Whether the other sentence states what the first one denies.

    It has the words around the negator, in their order but without one; or it has what is denied, or is alike enough,
    and denies nothing like it.
    """
    if denial.phrase:
        return False
    if copies := _copies(denial, sentence, other):
        return not any(_is_denied_at(index, other) for index in copies)
    is_told = is_alike or _has_denied(denial, other)
    return is_told and not denial.supposed and not _denies_too(denial, sentence, other)


def _copies(denial: Denial, sentence: Claims, other: Claims) -> list[int]:
    """Where the other sentence has the words around a negator in their order, as positions of the first one after."""
    words = len(denial.preceding) + len(denial.following)
    least = min(_COPIED, words) if _share(sentence, other) >= _MOSTLY_COPIED else _COPIED
    return [
        index
        for index, occurrence in enumerate(other.occurrences)
        if occurrence.stem in denial.following[:1] and _overlap_at(index, denial, other) >= least
    ]


def _overlap_at(index: int, denial: Denial, other: Claims) -> int:
    """How many consecutive stems around a position match those around the negator."""
    after = [occurrence.stem for occurrence in other.occurrences[index:]]
    before = [occurrence.stem for occurrence in reversed(other.occurrences[:index])]
    return _common_prefix_length(after, denial.following) + _common_prefix_length(before, denial.preceding[::-1])


def _common_prefix_length(stems: Sequence[str], other: Sequence[str]) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(stems, other, strict=False))))


def _is_denied_at(index: int, other: Claims) -> bool:
    """Whether a negator precedes a word closely."""
    start = other.occurrences[max(0, index - _NEAR)].start if index >= _NEAR else 0
    end = other.occurrences[min(index + 1, len(other.occurrences) - 1)].start
    return any(start <= denial.start <= end for denial in other.denials)


def _has_denied(denial: Denial, other: Claims) -> bool:
    """Whether a sentence has what is denied: the nearest word and half of all (taste), or related words."""
    stems = denial.scope | denial.core
    known = {stem for stem in stems if is_covered(stem, other.stems, other.language)}
    return denial.head in known and 2 * len(known) >= len(stems)


def _denies_too(denial: Denial, sentence: Claims, other: Claims) -> bool:
    """Whether the other sentence denies the same, or says it in other words: `survived` for `not destroyed`."""
    return (
        any(_denies_the_same(denial, counterpart) for counterpart in other.denials)
        or states_contrary(denial, other.stems, other.language)
        or _same_in_other_words(sentence.text, other.text, sentence.language)
    )


def _denies_the_same(denial: Denial, other: Denial) -> bool:
    """Whether two denials affect the same words or have the same subject."""
    return not (
        denial.core.isdisjoint(other.scope | other.core)
        and other.core.isdisjoint(denial.scope | denial.core)
        and set(denial.following).isdisjoint(other.following)
        and len(set(denial.preceding) & set(other.preceding)) < _SAME_SUBJECT
    )


def _same_in_other_words(claim: str, evidence: str, language: str) -> bool:
    """Whether one sentence denies that there is another, and the other has a superlative or `only`."""
    negation, pairs = Negation.of(language), ((claim, evidence), (evidence, claim))
    return any(
        negation.no_other.search(text) is not None and negation.utmost.search(other) is not None
        for text, other in pairs
    )


def _share(claims: Claims, evidence: Claims) -> float:
    """The share of a sentence's stems that another one covers."""
    return covered_share(claims.stems, evidence.stems, claims.language)
