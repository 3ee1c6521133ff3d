"""Scores a run by the facts that answers and passages contain; pure functions.

Texts are compared in one normal form: compatibility characters folded (NFKC), emphasis and code marks removed, plain
quotes and dashes, single spaces. Chinese and Japanese have no spaces: 1.7 of their characters count as a word.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from math import ceil, inf
from typing import Final

from evaluation.documents.questions import CHIT_CHAT, DocumentQuestion
from evaluation.documents.runs import ANSWERED, HELD_BACK, QuestionRun

CHARACTERS_A_WORD: Final = 1.7  # of Chinese and Japanese (taste)
SHOWN: Final = 3
"""Passages that count as the first hits (taste)."""
ASKED_BACK: Final = 2.0
"""The doubt of a question that was asked back; greater than any abstain score (taste)."""
CONTEXT_WORDS: Final = 600
"""Words of the passages that an answer is written from by default (taste)."""

_SHARES: Final = ("full", "facts", "hits", "context", "answered")
_DROPPED: Final = dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD, ord("*"), ord("`")))  # unseen; marks
_PLAIN: Final = {
    **dict.fromkeys((0x2018, 0x2019), "'"),
    **dict.fromkeys((0x201C, 0x201D), '"'),
    **dict.fromkeys((0x2010, 0x2011, 0x2013, 0x2014, 0x2212), "-"),
}
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """One question's figures; None if a figure does not apply."""

    question: DocumentQuestion
    words: int
    """Words of the answer."""
    hit_words: int
    """Words of the first hits together."""
    abstain_score: float
    asked_back: bool
    full: float | None = None
    """1 if the question was answered and the answer contains every fact."""
    facts: float | None = None
    """The share of the facts that the answer contains."""
    hits: float | None = None
    """1 if the first hits together contain every fact."""
    context: float | None = None
    """1 if the best passages of about 600 words, at least the first hits, contain every fact."""
    answered: float | None = None
    held: float | None = None
    """For questions that cannot be answered: 1 if nothing was answered."""
    chat: float | None = None
    """For a greeting or thanks: 1 if the reply needed no passages and did not abstain."""


def score_question(question: DocumentQuestion, run: QuestionRun | None) -> QuestionScore:
    """Score a question; one that is missing from the run counts as held back, with nothing found."""
    run = run or QuestionRun(question.id, outcome="abstained")
    hits_text = "\n".join(run.passages[:SHOWN])
    base = (question, count_words(run.answer), count_words(hits_text), run.abstain_score, run.outcome == "asked")
    if question.kind == CHIT_CHAT:
        return QuestionScore(*base, chat=float(not run.passages and run.outcome != "abstained"))
    if not question.answerable:
        return QuestionScore(*base, held=float(run.outcome in HELD_BACK))
    is_answered = run.outcome == ANSWERED
    facts = share_of_facts(question, run.answer) if is_answered else 0.0
    hits, context = (float(share_of_facts(question, text) == 1) for text in (hits_text, _context(run.passages)))
    return QuestionScore(*base, float(facts == 1), facts, hits, context, float(is_answered))


def _context(passages: Sequence[str]) -> str:
    totals = accumulate(map(count_words, passages))
    within = sum(1 for _ in takewhile(lambda total: total <= CONTEXT_WORDS, totals))
    return "\n".join(passages[: max(SHOWN, within)])


def share_of_facts(question: DocumentQuestion, text: str) -> float:
    """The share of a question's facts that a text contains."""
    text = normal_form(text)
    return sum(any(expression.search(text) for expression in group) for group in question.facts) / len(question.facts)


def normal_form(text: str) -> str:
    """The form in which texts are compared; case is kept."""
    normalized = unicodedata.normalize("NFKC", text.translate(_DROPPED)).translate(_PLAIN).translate(_DROPPED)
    return " ".join(normalized.split())


def count_words(text: str) -> int:
    """Count words between spaces; 1.7 Chinese or Japanese characters count as one."""
    unspaced_characters = len(_UNSPACED.findall(text))
    return len(_UNSPACED.sub(" ", text).split()) + ceil(unspaced_characters / CHARACTERS_A_WORD)


@dataclass(frozen=True, slots=True)
class Means:
    """Mean figures over several questions."""

    count: int
    figures: Mapping[str, float | None]
    """By name, in the order of the tables."""

    @classmethod
    def of(cls, scores: Sequence[QuestionScore]) -> "Means":
        """Return means over the questions that a figure applies to; `p95` is the 95th percentile of answer words."""
        answers = sorted(score.words for score in scores if score.answered)
        shares = {name: mean(getattr(score, name) for score in scores) for name in _SHARES}
        return cls(
            len(scores),
            {
                **shares,
                "held": mean(score.held for score in scores),
                "chat": mean(score.chat for score in scores),
                "words": mean(answers),
                "p95": float(answers[ceil(0.95 * len(answers)) - 1]) if answers else None,
                "hit words": mean(score.hit_words for score in scores if score.question.answerable),
            },
        )


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are not None; None if there are none."""
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None


def group_scores(scores: Sequence[QuestionScore], key: str) -> dict[str, list[QuestionScore]]:
    """Group the scores by an attribute of their questions, in order of its values."""
    groups: dict[str, list[QuestionScore]] = {}
    for score in scores:
        groups.setdefault(str(getattr(score.question, key)), []).append(score)
    return dict(sorted(groups.items()))


@dataclass(frozen=True, slots=True)
class HoldingPoint:
    """The effect of a threshold on the abstain score."""

    lost: float
    """Share of the answerable questions that are held back."""
    held: float
    """Share of the others, except chit-chat, that are held back."""


def holding_curve(scores: Sequence[QuestionScore], shares: Sequence[float]) -> list[HoldingPoint]:
    """For each maximum share of answerable questions to lose, the most that can be held; asked back is always held."""
    return [_point([(scores, scores)], most) for most in shares if _answerable(scores) and _unanswerable(scores)]


def left_out_curve(scores: Sequence[QuestionScore], shares: Sequence[float]) -> list[HoldingPoint]:
    """The same curve, each corpus judged by a threshold set on all others; empty for fewer than two corpora."""
    corpora = group_scores(scores, "corpus")
    if len(corpora) < 2 or not _answerable(scores) or not _unanswerable(scores):
        return []
    groups = [(own, [score for score in scores if score.question.corpus != name]) for name, own in corpora.items()]
    return [_point(groups, most) for most in shares]


def _point(groups: Sequence[tuple[Sequence[QuestionScore], Sequence[QuestionScore]]], most: float) -> HoldingPoint:
    """What is held back over all groups, each (its scores, those that its threshold is set on)."""
    lost: list[bool] = []
    held: list[bool] = []
    for own, others in groups:
        threshold = _threshold(others, most)
        lost += (value >= threshold for value in _answerable(own))
        held += (value >= threshold for value in _unanswerable(own))
    return HoldingPoint(sum(lost) / len(lost), sum(held) / len(held))


def _threshold(scores: Sequence[QuestionScore], most: float) -> float:
    """The lowest threshold that loses at most that share of the answerable questions."""
    good = _answerable(scores)
    candidates = sorted({*good, *_unanswerable(scores)})
    return next((t for t in candidates if sum(value >= t for value in good) <= most * len(good)), inf)


def _answerable(scores: Sequence[QuestionScore]) -> list[float]:
    return [_doubt(score) for score in scores if score.question.answerable]


def _unanswerable(scores: Sequence[QuestionScore]) -> list[float]:
    return [_doubt(score) for score in scores if score.held is not None]


def _doubt(score: QuestionScore) -> float:
    return ASKED_BACK if score.asked_back else score.abstain_score
