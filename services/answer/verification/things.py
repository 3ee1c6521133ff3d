"""Checks whether a claim names a different thing of the same kind: `granite` where the source has `basalt`.

Names are recognised by capitals (`name_checks`); materials, professions and instruments are not.
"""

from services.answer.lexicon.related_words import share_told, told_alike
from services.answer.lexicon.siblings import siblings
from services.answer.verification.claims import Claims

_LEAST_ALIKE = 0.35


def other_thing(claimed: Claims, told: Claims, nearby: frozenset[str]) -> str | None:
    """Return the stem of a thing that the source replaces by another thing of its kind; None if there is none.

    Args:
        claimed: the sentence.
        told: the nearest words.
        nearby: the stems of their whole passage, any of which may be meant.
    """
    kinds = siblings()
    for stem in claimed.stems & kinds.keys():
        if stem in nearby or told_alike(stem, told.stems):
            continue
        if kinds[stem] & told.stems - claimed.stems and share_told(claimed.stems, told.stems) >= _LEAST_ALIKE:
            return stem
    return None
