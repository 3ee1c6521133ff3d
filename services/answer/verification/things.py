"""Whether a claim names another thing of the same kind than its source: `granite` where that has `basalt`.

Names are told by their capitals (`name_checks`); substances, crafts and instruments are not.
"""

from services.answer.lexicon.related_words import share_told, told_alike
from services.answer.lexicon.siblings import siblings
from services.answer.verification.claims import Claims

_LEAST_ALIKE = 0.35


def other_thing(claimed: Claims, told: Claims, nearby: frozenset[str]) -> str | None:
    """The stem of a thing that the source doesn't tell of, while it tells of another one of its kind instead.

    Args:
        claimed: the sentence.
        told: the words that are nearest to it.
        nearby: the stems of their whole passage: what stands there may be meant.
    """
    kinds = siblings()
    for stem in claimed.stems & kinds.keys():
        if stem in nearby or told_alike(stem, told.stems):
            continue
        if kinds[stem] & told.stems - claimed.stems and share_told(claimed.stems, told.stems) >= _LEAST_ALIKE:
            return stem
    return None
