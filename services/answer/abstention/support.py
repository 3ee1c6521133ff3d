"""Whether the evidence holds an answer at all, told before a word is written: a score in [0, 1].

It is a logistic function of a few signals, shifted so that .5 is the point from which on it is better to say nothing.

Where vectors were searched, six signals count. Their weights were fitted on MTRAG's development tasks (95 UNANSWERABLE
against 656 ANSWERABLE and PARTIAL) together with labelled questions over the sample corpus, the latter at a third of
the weight, then rounded; the shift makes a tenth of the ANSWERABLE ones abstain. AUROC of weights fitted on other
conversations .77 (on other domains .77), on MTRAG-UN alone .79 (`python -m bench.abstaining`); of the best cosine alone
.67. What gave nothing beside them: score gaps and spreads, agreement of the engines and of documents, the length of
the question, what of it the history has.

Where only words were searched they have to tell all: what one sentence and one passage have of the question, its names
and the wanted kind, on the scale of the labelled sample questions. That is weaker, and on MTRAG, whose questions are
told in other words than their answers, too careful: AUROC .67, a third of the ANSWERABLE ones abstain.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from services.answer.abstention.forms import is_narrow, is_of_a_time, is_open, is_precise
from services.answer.abstention.signals import Signals, read_signals
from services.answer.lexicon.vague_words import vague_stems
from services.answer.question import AnswerKind, Question
from services.answer.scoring import ScoredSentence
from services.vocabulary.evidence import Reference

INTERCEPT = -2.25
WEIGHTS = (1.35, -0.25, -6.0, 1.7, 3.0, -0.65)
"""Of `features_of`, in its order."""
USUAL_COSINE = 0.63
"""The mean over MTRAG's development tasks of the best cosine, by all-MiniLM-L6-v2."""
LEAST_CLOSENESS, MOST_CLOSENESS = -0.35, 0.25
"""So far from the usual one a cosine counts at most: another model's scale must not decide alone."""
TOLD = 0.85
"""A sentence with this share of a question's weight tells the count or the choice that it asks for."""
LEAST_KIND = 0.6
"""Of a number: with less it counts or measures something else."""
DATED = 0.5
"""A sentence with this share of the weight of a question about a time alone tells that time, which weighs the most."""
PLAINLY_TOLD, PLAINLY_HELD = 0.8, 0.9
"""A sentence with the first share and what is wanted, in a passage with the second, answers however far its vector is:
short questions and short passages come out far from each other."""
WHOLLY_TOLD, SEVERAL, FAR = 0.88, 2, -0.12
"""Where nothing of a certain form is wanted (`Is Ubuntu supported?`), a sentence with this share of a question, which
has so many words at least, is taken to be so far from the usual at most. Chosen for handbooks of a few pages, where
cosines are .15 to .3; MTRAG's tasks are told apart as well without it (AUROC .780 and .781)."""

WORDS_INTERCEPT = 6.2
WORDS_SENTENCE_WEIGHT = -3.4
WORDS_PASSAGE_WEIGHT = -4.0
WORDS_NAMES_WEIGHT = -1.8
WORDS_KIND_WEIGHT = -0.7
WORDS_NARROW_WEIGHT = 0.8
WORDS_OPEN_WEIGHT = -0.4


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
        ranked: its evidence's sentences as `score_sentences` gives them; none is no support at all.
        references: the passages that they stand in.
    """
    if not ranked:
        return Support(1.0, question.names)
    signals = read_signals(question, ranked, references)
    doubt = (_by_words if signals.cosine is None else _by_vectors)(question, signals)
    return Support(1 / (1 + math.exp(-doubt)), signals.missing)


def features_of(question: Question, signals: Signals) -> tuple[float, ...]:
    """What speaks for and against an answer where vectors were searched.

    Returns:
        Narrow; open; how much closer than usual the best passage is; the share of the question that is uncovered; how
        little its least known name is known, for a date, person, place, number or name; a count or choice that is told,
        negative where a number is wanted and the best sentence has none of that sort.
    """
    narrow, precise = is_narrow(question), is_precise(question)
    return (
        float(narrow),
        float(is_open(question)),
        _closeness(question, signals),
        1 - (signals.sentence + signals.passage) / 2,
        (1 - signals.names) * precise,
        _told(question, signals) if narrow and precise else 0.0,
    )


def _closeness(question: Question, signals: Signals) -> float:
    closeness = max(LEAST_CLOSENESS, min((signals.cosine or 0.0) - USUAL_COSINE, MOST_CLOSENESS))
    held = signals.sentence >= PLAINLY_TOLD and signals.passage >= PLAINLY_HELD
    plain = held and signals.kind == 1.0 and is_precise(question)
    # `What happened in May?` has no words that a passage could be close to, only a time that a sentence tells.
    told_then = is_of_a_time(question) and signals.sentence >= DATED
    if plain or told_then:
        return max(0.0, closeness)
    return max(FAR, closeness) if _is_wholly_told(question, signals) else closeness


def _is_wholly_told(question: Question, signals: Signals) -> bool:
    words = {*question.names, *question.stems} - vague_stems()
    return not is_precise(question) and len(words) >= SEVERAL and signals.sentence >= WHOLLY_TOLD


def _told(question: Question, signals: Signals) -> float:
    if question.kind is AnswerKind.NUMBER and signals.kind < LEAST_KIND:
        return -1.0
    return float(signals.sentence >= TOLD)


def _by_vectors(question: Question, signals: Signals) -> float:
    pairs = zip(WEIGHTS, features_of(question, signals), strict=True)
    return INTERCEPT + sum(weight * feature for weight, feature in pairs)


def _by_words(question: Question, signals: Signals) -> float:
    return (
        WORDS_INTERCEPT
        + WORDS_SENTENCE_WEIGHT * signals.sentence
        + WORDS_PASSAGE_WEIGHT * signals.passage
        + WORDS_NAMES_WEIGHT * signals.names
        + WORDS_KIND_WEIGHT * signals.kind
        + WORDS_NARROW_WEIGHT * is_narrow(question)
        + WORDS_OPEN_WEIGHT * is_open(question)
    )
