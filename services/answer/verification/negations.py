"""Finds negations that only one of two sentences has. Numbers that name no source are chosen by hand. Pure."""

from collections.abc import Iterator

from services.answer.lexicon.related_words import covered_share, is_covered
from services.answer.verification.claims import Claims
from services.answer.verification.denials import (
    Denial,
    denies_the_same,
    has_denied_words,
    implied_denials,
    lacks_negator,
    same_in_other_words,
)
from services.answer.verification.polarity import contrary_stem, says_the_contrary

NOT_DENIED = "The source doesn't deny this."
DENIED = "The source denies this."
_ALIKE = 0.55
"""Share of the claim's words above which two sentences are about the same thing, even without the denied verb."""
_RATHER_ALIKE = 0.35
"""The share that suffices if the sentence contains the denied verb."""
_HARDLY_ALIKE = 0.3
"""The share below which a denial in only one of the two means nothing."""
_COPIED = 0.85  # by hand, like the next one
_MOSTLY_COPIED = 0.7
"""If the source has `_COPIED` of the claim's words and the claim has `_MOSTLY_COPIED` of the source's, the sentence was
taken over almost unchanged."""


def negation_findings(claims: Claims, evidence: Claims) -> Iterator[str]:
    """Yield a finding if the source denies what the claim states, or does not deny what the claim denies."""
    if not (claims.denials or evidence.denials):
        return
    yield from _inserted_negators(claims, evidence)
    is_copied = _share(claims, evidence) >= _COPIED and _share(evidence, claims) >= _MOSTLY_COPIED
    if is_copied and (more := _more_denials(claims, evidence)):
        yield NOT_DENIED if more > 0 else DENIED
    elif any(_is_denied_alone(denial, claims, evidence) for denial in claims.denials):
        yield NOT_DENIED
    elif any(
        has_denied_words(denial, claims.stems, claims.language)
        and is_covered(denial.head, claims.stems, claims.language)
        and _is_denied_alone(denial, evidence, claims)
        for denial in evidence.denials
    ):
        yield DENIED


def _inserted_negators(claims: Claims, evidence: Claims) -> Iterator[str]:
    """Yield a reason if only one of the two sentences has a negator among the same words."""
    for sentence, other, reason in ((claims, evidence, NOT_DENIED), (evidence, claims, DENIED)):
        if any(
            lacks_negator(denial, other.occurrences, other.denials, _share(sentence, other) >= _MOSTLY_COPIED)
            and denial.scope.isdisjoint(implied_denials(other.text, sentence.stems, other.language))
            for denial in sentence.denials
        ):
            yield reason


def _more_denials(claims: Claims, evidence: Claims) -> int:
    """How many more negations a sentence has than the source it was copied from almost unchanged.

    Negations of anything that the sentence lacks are ignored. The result is 0 if a word such as `refused` may replace
    the negation.
    """
    source_denials = [denial for denial in evidence.denials if has_denied_words(denial, claims.stems, claims.language)]
    more = len(claims.denials) - len(source_denials)
    sentence, other = (claims, evidence) if more > 0 else (evidence, claims)
    if same_in_other_words(claims.text, evidence.text, claims.language):
        return 0
    denials_alone = [
        denial
        for denial in sentence.denials
        if denial.scope.isdisjoint(implied_denials(other.text, sentence.stems, other.language))
    ]
    return more if denials_alone else 0


def _is_denied_alone(denial: Denial, sentence: Claims, other: Claims) -> bool:
    """Whether the other sentence states what the first one denies, without denying it in any way."""
    if denial.supposed or _denies_too(denial, sentence, other):
        return False
    similarity = _share(sentence, other)
    return (
        similarity >= _ALIKE
        or has_denied_words(denial, other.stems, other.language)
        or (similarity >= _RATHER_ALIKE and denial.core <= other.stems)
    )


def _denies_too(denial: Denial, sentence: Claims, other: Claims) -> bool:
    """Whether the other sentence denies the same, explicitly or with words such as `refused`."""
    return (
        any(denies_the_same(denial, counterpart) for counterpart in other.denials)
        or not denial.scope.isdisjoint(implied_denials(other.text, sentence.stems, other.language))
        or says_the_contrary(denial, other.stems, other.language)
        or same_in_other_words(sentence.text, other.text, sentence.language)
    )


def are_denials_supported(claims: Claims, evidence: Claims) -> bool:
    """Whether the source denies everything that the claim denies; True if it denies nothing."""
    return all(denial.supposed or _denies_too(denial, claims, evidence) for denial in claims.denials)


def one_sided_denial(claims: Claims, evidence: Claims) -> str | None:
    """Return why a barely supported sentence is contradicted: only one of the two has a flat denial; else None."""
    if _share(claims, evidence) < _HARDLY_ALIKE:
        return None
    claim_denials, evidence_denials = (
        [denial for denial in sentence.denials if not denial.supposed] for sentence in (claims, evidence)
    )
    if claim_denials and not evidence_denials and not are_denials_supported(claims, evidence):
        return NOT_DENIED
    candidates = (denial for denial in evidence_denials if has_denied_words(denial, claims.stems, claims.language))
    return (
        DENIED
        if not claims.denials and any(not _denies_too(denial, evidence, claims) for denial in candidates)
        else None
    )


def stem_with_contrary(claims: Claims, evidence: Claims) -> str | None:
    """Return the stem of the claim that a similar source only contradicts; None if there is none."""
    if _share(claims, evidence) < _RATHER_ALIKE:
        return None
    return contrary_stem(claims, evidence)


def _share(claims: Claims, evidence: Claims) -> float:
    """The share of a sentence's stems that another one covers."""
    return covered_share(claims.stems, evidence.stems, claims.language)
