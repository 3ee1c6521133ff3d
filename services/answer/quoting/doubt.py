"""Whether the evidence holds an answer at all, told before a word is written: a doubt in [0, 1].

Support is how close the best passage is (its fused score) times the share of the question's rare words that one unit
has, its headings and what introduces it included. A question for a number is supported by units that tell a number.
Doubt is a logistic function of support; .5 is the point from which on it is better to say that there is no answer.

On ten corpora (237 answerable turns in sessions, 30 that are not) AUROC .88 in sessions and .92 for stand-alone
questions; the point was set where 4 % of the answerable are held back, and 57 % of the others are (each corpus judged
by a point that was set on the nine others). What gave nothing beside it, fitted by logistic regression: the best
cosine alone, the gap to the fifth passage, the mass of words that no passage has, the share of the turn's own words.
"""

import math
from collections.abc import Sequence
from typing import Final

import regex

from libs.contracts.evidence import EngineScores
from libs.contracts.query import SearchedTerm
from libs.language.analysis import terms_of
from libs.language.names import names_in
from libs.language.quantities import asks_quantity, tells_number
from services.answer.quoting.asked import Asked
from services.answer.quoting.choosing import INHERITED
from services.answer.quoting.units import Unit

EVEN: Final = 0.32
"""The support at which doubt is .5."""
EVEN_FOLLOWING: Final = 0.205
"""The same for a turn that earlier ones are searched beside: of their words few stand in any one passage."""
STEEPNESS: Final = 8.0
KNOWN: Final = 0.4
"""Counts as covered in any question: of few words (`and the other one?`) little can be missing (.2 to .8: the same)."""
QUANTITY: Final = 0.8
"""What support counts for a number: of MTRAG's questions that one fact decides 23 % are unanswerable, of others 8 %."""
UNSEEN_NAME: Final = 0.4
"""What support counts for a question with a name that the whole collection lacks (of such turns 4 of 5 cannot be
answered, of all others 1 of 10)."""
USUAL_COSINE: Final = 0.6
"""Stands for the cosine where no vectors were searched."""
MOST_BY_WORDS: Final = 2.0
"""What words add to a cosine at most; more is a score of another kind."""
UNSEEN: Final = 0.99
"""From this rarity on no passage of the collection has a term."""
_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")


def doubt_of(asked: Asked, best: EngineScores, units: Sequence[Unit]) -> float:
    """How sure it is that the evidence holds no answer, in [0, 1].

    Args:
        asked: the question.
        best: the best passage's scores.
        units: of the best passages.
    """
    support = closeness(best) * _coverage(asked, units)
    follows = asked.follows_up or any(term.weight < 1 for term in asked.terms)
    return 1 / (1 + math.exp(STEEPNESS * (support - (EVEN_FOLLOWING if follows else EVEN))))


def closeness(scores: EngineScores) -> float:
    """How close a passage is, about .4 to 1: its cosine, and what its words add where the scores were summed."""
    cosine = USUAL_COSINE if scores.vector is None else scores.vector
    words = scores.fused - (scores.vector or 0.0)
    summed = scores.rerank is None and 0 <= words <= MOST_BY_WORDS
    return cosine + words if summed else cosine


def _coverage(asked: Asked, units: Sequence[Unit]) -> float:
    """The share of the question's weight that one unit has, in [0, 1]."""
    quantity = asks_quantity(asked.question, asked.language)
    weights = {term.term: term.weight * term.rarity for term in asked.terms if not _is_noise(term)}
    fit = [unit for unit in units if not quantity or tells_number(unit.text, unit.passage.language, asked.question)]
    best = max((_held(weights, unit) for unit in fit), default=0.0) if fit else -KNOWN
    share = (best + KNOWN) / (sum(weights.values()) + KNOWN)
    share *= QUANTITY if quantity else 1.0
    return share * UNSEEN_NAME if _has_unseen_name(asked) else share


def _has_unseen_name(asked: Asked) -> bool:
    """Whether no passage of the collection has a name of the question."""
    unseen = {term.term for term in asked.terms if term.rarity >= UNSEEN}
    if not unseen or not asked.whole_index:
        return False
    names = names_in(asked.question, asked.language)
    return any(not unseen.isdisjoint(terms_of(name, asked.language)) for name in names)


def _held(weights: dict[str, float], unit: Unit) -> float:
    return sum(
        weight if term in unit.terms else INHERITED * weight if term in unit.around else 0.0
        for term, weight in weights.items()
    )


def _is_noise(term: SearchedTerm) -> bool:
    """A pair of characters across two words, which no passage has."""
    return term.rarity >= UNSEEN and _UNSPACED.search(term.term) is not None
