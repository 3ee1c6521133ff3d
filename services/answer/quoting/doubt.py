"""Estimate, before writing, whether the evidence has an answer at all: a doubt in [0, 1].

Support is the closeness of the best passage (from its fused score) times the share of the question's rare words in one
unit, including its headings. Doubt is a logistic function of support.

It tells 48 questions about something else from 468 answerable ones over 14 corpora (AUROC .996), but hardly those that
the documents nearly answer (50, .80). Twenty further features, fitted by logistic regression and judged on the corpora
left out, brought no gain (.98, .77): cosines and their gaps, words that no passage has, the share of the turn's own
words in a unit, a passage, all passages. Numbers that name no source are chosen by hand. Pure functions.
"""

import math
from collections.abc import Sequence
from typing import Final

from libs.contracts.evidence import EngineScores
from libs.language.analysis import terms_of
from libs.language.known import language_of
from libs.language.near_stems import NearStems, near_stems
from libs.text.names import find_names
from services.answer.quoting.terms import QuotingQuery
from services.answer.quoting.unit_selection import INHERITED
from services.answer.quoting.units import Unit

DOUBTED: Final = 0.72
"""From this doubt on, quotations may be no answer: .4 % of the answerable questions over ten corpora, 8 % of those in
strangers' words over five others, 37 % of those that the documents nearly answer, 97 % of 168 of other documents."""
EVEN: Final = 0.32
"""The support at which doubt is .5."""
EVEN_FOLLOWING: Final = 0.19
"""The same for a turn that is searched together with earlier ones: one passage has few of all their words."""
STEEPNESS: Final = 8.0  # of the logistic function; by hand
KNOWN: Final = 0.4
"""Added to the covered weight of every question: one of few words (`and the other one?`) can miss little (.2 to .8: the
same)."""
NEAR: Final = 0.5
"""How far a stem near in meaning says a term; without it 11 % of the questions in strangers' words are doubted."""
IN_TIME, IN_TIME_CLOSENESS = 0.4, 0.57
"""Added to the covered weight and to the closeness if the time that is asked for is found, since its dates were not
searched as words (of 61 questions on time 11 are held back, of 71 asked of other documents 64; without: 41 and 70).
"""
UNSEEN_NAME: Final = 0.25
"""Factor for a question with a name that the whole collection lacks (4 of 5 such turns are unanswerable, 1 of 10 of all
others; .4 doubts two fewer of 54 questions that the documents nearly answer, .1 holds two more answerable ones back).
"""
USUAL_COSINE: Final = 0.6
"""Replaces the cosine if no vectors were searched."""
MAX_BY_WORDS: Final = 2.0
"""Maximum that lexical scores add to a cosine; a larger sum is a different kind of score."""
UNSEEN: Final = 0.99
"""From this rarity on, no passage of the collection has the term."""


def doubt_of(query: QuotingQuery, best: EngineScores, units: Sequence[Unit], in_time: bool = False) -> float:
    """Return the confidence that the evidence has no answer, in [0, 1].

    `best` are the scores of the best passage, `units` those of the best ones; `in_time` says that a question that asks
    for a time gets units of it.
    """
    support = (closeness(best) + IN_TIME_CLOSENESS * in_time) * _coverage(query, units, KNOWN + IN_TIME * in_time)
    is_follow_up = query.follows_up or any(term.weight < 1 for term in query.terms)
    return (1 - math.tanh(STEEPNESS / 2 * (support - (EVEN_FOLLOWING if is_follow_up else EVEN)))) / 2


def closeness(scores: EngineScores) -> float:
    """Return how close a passage is, about .4 to 1: its cosine, plus the lexical score if the scores were summed."""
    cosine = USUAL_COSINE if scores.vector is None else scores.vector
    words = scores.fused - (scores.vector or 0.0)
    is_sum = scores.rerank is None and 0 <= words <= MAX_BY_WORDS
    return cosine + words if is_sum else cosine


def _coverage(query: QuotingQuery, units: Sequence[Unit], known: float) -> float:
    """Return the largest share of the question's weight in one unit, in [0, 1]."""
    weights = {term.term: term.weight * term.rarity for term in query.terms}
    near = near_stems(query.question, query.language)
    best = max((_covered_weight(weights, near, unit) for unit in units), default=-known)
    share = (best + known) / (sum(weights.values()) + known)
    return share * UNSEEN_NAME if _has_unseen_name(query) else share


def _has_unseen_name(query: QuotingQuery) -> bool:
    """Whether the question has a name that no passage of the collection contains."""
    unseen_terms = {term.term for term in query.terms if term.rarity >= UNSEEN}
    if not unseen_terms or not query.whole_index or language_of(query.language).capitalises_nouns:
        return False
    names = [name for name in find_names(query.question, query.language) if name.is_sure]
    return any(not unseen_terms.isdisjoint(terms_of(name.text, query.language)) for name in names)


def _covered_weight(weights: dict[str, float], near: NearStems, unit: Unit) -> float:
    return sum(weight * _coverage_of(term, near, unit) for term, weight in weights.items())


def _coverage_of(term: str, near: NearStems, unit: Unit) -> float:
    """How far a unit, or what stands around it, says a term, in [0, 1]."""
    if term in unit.terms:
        return 1.0
    if term in unit.context_terms:
        return INHERITED
    return 0.0 if unit.terms.isdisjoint(near.get(term, ())) else NEAR
