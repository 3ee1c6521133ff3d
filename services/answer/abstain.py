"""Whether the evidence holds an answer at all, told before a word is written.

The score is a logistic function of what the best sentence and the best passage cover of the question, of whether the
named things are there, and of how close retrieval came. Its weights and the threshold's default were set on labelled
questions over the sample corpus, answerable and not (tests/unit/answer/test_abstain.py).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from services.answer.lexicon.related_words import has_related
from services.answer.lexicon.vague_words import vague_stems
from services.answer.lexicon.words import phrase_pattern, stems_of
from services.answer.question import Question
from services.answer.scoring import TIME, ScoredSentence, term_weights
from services.answer.verification.measures import date_borne_out
from services.text.dates import find_dates
from services.vocabulary.evidence import Reference

INTERCEPT = 6.2
COVERAGE_WEIGHT = 3.4
PASSAGE_WEIGHT = 4.0
NAMES_WEIGHT = 1.8
KIND_WEIGHT = 0.7
COSINE_WEIGHT = 3.0
USUAL_COSINE = 0.5
"""The cosine of a question and a passage that answers it, by all-MiniLM-L6-v2."""


@dataclass(frozen=True, slots=True)
class Support:
    """What the evidence holds for a question."""

    abstain_score: float
    """In [0, 1]: how sure it is that the evidence holds no answer."""
    missing: tuple[str, ...] = ()
    """Words of the question that the evidence doesn't have, as the question spells them."""


def judge_support(question: Question, ranked: Sequence[ScoredSentence], references: Sequence[Reference]) -> Support:
    """How well the evidence supports an answer.

    Args:
        question: the question or sub-question.
        ranked: its evidence's sentences as `score_sentences` gives them.
        references: the passages that they stand in.
    """
    if not ranked:
        return Support(1.0, question.names)
    read = [_read(reference) for reference in references]
    features = (
        COVERAGE_WEIGHT * max(scored.coverage for scored in ranked[:5])
        + PASSAGE_WEIGHT * _best_passage_coverage(question, ranked, read)
        + NAMES_WEIGHT * _names_found(question, read)
        + KIND_WEIGHT * ranked[0].kind
        + COSINE_WEIGHT * _closeness(references)
    )
    return Support(1 / (1 + math.exp(features - INTERCEPT)), _missing(question, read))


@dataclass(frozen=True, slots=True)
class _Read:
    """A passage with its title, as it is searched for the question's words."""

    text: str
    stems: frozenset[str]

    def has(self, name: str) -> bool:
        return phrase_pattern(name).search(self.text) is not None


def _read(reference: Reference) -> _Read:
    text = f"{reference.evidence.passage.title}\n{reference.evidence.passage.text}"
    return _Read(text, frozenset(stems_of(text)))


def _best_passage_coverage(question: Question, ranked: Sequence[ScoredSentence], read: Sequence[_Read]) -> float:
    weights = term_weights(question, [scored.sentence for scored in ranked])
    return max(sum(weights[term] for term in weights if _stands_in(term, question, passage)) for passage in read)


def _stands_in(term: str, question: Question, passage: _Read) -> bool:
    if term in question.names:
        return passage.has(term)
    if term == TIME:
        return any(date_borne_out(date, find_dates(passage.text)) for date in question.dates)
    return term in passage.stems or has_related(term, passage.stems)


def _names_found(question: Question, read: Sequence[_Read]) -> float:
    """How much of the least known name is there: 1 as it is spelt, less in parts; 1 too when nothing is named."""
    return min((_name_found(name, read) for name in question.names), default=1.0)


def _name_found(name: str, read: Sequence[_Read]) -> float:
    if any(passage.has(name) for passage in read):
        return 1.0
    words = name.split()
    if len(words) == 1 or words[-1].isdecimal() or not any(passage.has(words[-1]) for passage in read):
        return 0.0
    return 0.5 * max(sum(passage.has(word) for word in words) for passage in read) / len(words)


def _closeness(references: Sequence[Reference]) -> float:
    """The best cosine less the usual one, 0 where no vectors were searched."""
    cosines = [r.evidence.scores.vector for r in references if r.evidence.scores.vector is not None]
    return max(cosines) - USUAL_COSINE if cosines else 0.0


def _missing(question: Question, read: Sequence[_Read]) -> tuple[str, ...]:
    names = [name for name in question.names if not any(passage.has(name) for passage in read)]
    known = {stem for passage in read for stem in passage.stems} | vague_stems()
    unknown = {stem for stem in question.stems if stem not in known}
    words = [word.strip("?!.,;:\"'()") for word in question.text.split() if not unknown.isdisjoint(stems_of(word))]
    return tuple(dict.fromkeys([*names, *words]))
