"""Checks whether a claim names a different thing of the same kind: `granite` where the source has `basalt`.

Names are recognised by capitals (`name_checks`); materials, professions and instruments are not.
"""

from services.answer.lexicon.related_words import covered_share, has_equivalent
from services.answer.lexicon.siblings import siblings
from services.answer.verification.claims import Claims

_LEAST_ALIKE = 0.35


def other_thing(claims: Claims, evidence: Claims, passage_stems: frozenset[str]) -> str | None:
    """Return the stem of a thing that the source replaces by another thing of its kind; None if there is none.

    Args:
        claims: the sentence.
        evidence: the nearest words.
        passage_stems: the stems of their whole passage, any of which may be meant.
    """
    kinds, language = siblings(claims.language), claims.language
    for stem in claims.stems & kinds.keys():
        if stem in passage_stems or has_equivalent(stem, evidence.stems, language):
            continue
        is_similar = covered_share(claims.stems, evidence.stems, language) >= _LEAST_ALIKE
        if kinds[stem] & evidence.stems - claims.stems and is_similar:
            return stem
    return None
