"""Checks whether a claim names a different thing of the same kind: `granite` where the source has `basalt`.

Names are recognised by capitals (`name_checks`); materials, professions and instruments are not.

The words on one line of the list occur in the same places but mean different things, unlike the synonyms of
`related_words`; words between two bars mean the same. General words only, by stems; a word with several senses is left
out unless the line makes its sense clear.
"""

from collections.abc import Mapping
from functools import lru_cache

from libs.language.files import word_table
from services.answer.lexicon.related_words import covered_share, has_equivalent
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims


@lru_cache(maxsize=64)
def siblings(language: str) -> Mapping[str, frozenset[str]]:
    """Map a stem to those of the other things of its kind."""
    siblings_by_stem: dict[str, frozenset[str]] = {}
    for row in word_table("siblings", language):
        things = [frozenset(stems_of(" ".join(thing), language)) for thing in row]
        all_stems = frozenset().union(*things)
        for thing in things:
            for stem in thing:
                siblings_by_stem[stem] = siblings_by_stem.get(stem, frozenset()) | (all_stems - thing)
    return siblings_by_stem


_MIN_ALIKE = 0.35
"""Share of the claim's words that the source must have to be about the same thing."""


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
        is_similar = covered_share(claims.stems, evidence.stems, language) >= _MIN_ALIKE
        if kinds[stem] & evidence.stems - claims.stems and is_similar:
            return stem
    return None
