"""Compares words whose opposite contradicts them anywhere: `survived` and `destroyed`, `possible` and `impossible`.

Unlike in `exchanged_words`, their neighbours do not matter. A contradiction means that a sentence states one side,
directly or by denying the other, and the source states only the opposite. `Undamaged` and `damaged` are recognised by
the prefix. Pure functions; the list of opposites is read from a file on first use.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from libs.language.files import word_table
from libs.language.topics.clauses import Negation
from services.answer.lexicon.words import irregular_stems, stems_of
from services.answer.verification.claims import Claims
from services.answer.verification.denials import Denial

_REACH = 2
"""Content words after a negator whose opposite counts; of those beyond it is not known whether they are denied
(taste)."""


def contrary_stem(claims: Claims, evidence: Claims) -> str | None:
    """Return the stem of the claim that the source only contradicts; None if there is none."""
    claim_sides = _effective_sides(claims, claims.language)
    evidence_sides = _effective_sides(evidence, claims.language) if claim_sides else {}
    for stem, (group, sign) in claim_sides.items():
        signs = {other_sign for other, (other_group, other_sign) in evidence_sides.items() if other_group == group}
        if signs == {-sign} and {
            other_sign for other_group, other_sign in claim_sides.values() if other_group == group
        } == {sign}:
            return stem
    return _prefix_opposite(claims, evidence)


def says_the_contrary(denial: Denial, evidence_stems: frozenset[str], language: str) -> bool:
    """Whether the source has an opposite of what is denied: `survived` for `not destroyed`."""
    sides = _sides(language)
    opposites = {(sides[stem][0], -sides[stem][1]) for stem in denial.following[:_REACH] if stem in sides}
    return bool(opposites) and any(sides.get(stem) in opposites for stem in evidence_stems)


def _effective_sides(claims: Claims, language: str) -> dict[str, tuple[int, int]]:
    """Map each stem that has an opposite to its group and its effective side: 1 or -1."""
    denials = claims.denials
    negated_stems = {stem for denial in denials for stem in denial.following[:_REACH]}
    # Beyond the reach of a negator, a word may be denied or not: `none of the five was a success`.
    unclear_stems = {stem for denial in denials for stem in denial.following[_REACH:]}
    sides = _sides(language)
    effective_sides: dict[str, tuple[int, int]] = {}
    for occurrence in claims.occurrences:
        if occurrence.stem in sides and occurrence.stem not in unclear_stems:
            group, sign = sides[occurrence.stem]
            effective_sides[occurrence.stem] = (group, -sign if occurrence.stem in negated_stems else sign)
    return effective_sides


def _prefix_opposite(claims: Claims, evidence: Claims) -> str | None:
    """The stem if one sentence has `damaged` and the other `undamaged`; None if either sentence contains a denial."""
    if claims.denials or evidence.denials:
        return None
    for first, second in ((claims.stems, evidence.stems), (evidence.stems, claims.stems)):
        for stem in _without_prefix(first, claims.language):
            if stem in second and stem not in first:
                return stem
    return None


def _without_prefix(stems: frozenset[str], language: str) -> Iterator[str]:
    negative = Negation.of(language).prefix
    bases = irregular_stems(language)
    rests = (stem[prefix.end() :] for stem in stems if (prefix := negative.match(stem)))
    return (bases.get(rest, rest) for rest in rests)


@lru_cache(maxsize=64)  # taste
def _sides(language: str) -> Mapping[str, tuple[int, int]]:
    sides: dict[str, tuple[int, int]] = {}
    for group, row in enumerate(word_table("opposites", language)):
        for sign, side in zip((1, -1), row, strict=True):
            sides.update((stem, (group, sign)) for stem in stems_of(" ".join(side), language))
    return sides
