"""Tables of a run over documents; pure functions.

By corpus, by kind, first and later turns, all together, and the cost of abstaining at other thresholds.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final

from evaluation.documents.questions import DocumentQuestion
from evaluation.documents.runs import QuestionRun
from evaluation.documents.scoring import (
    HoldingPoint,
    Means,
    QuestionScore,
    group_scores,
    holding_curve,
    left_out_curve,
    score_question,
)
from evaluation.tables import Report

LOST: Final = (0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2)
"""Maximum shares of answerable questions that are held back, for the curve (taste)."""


SEARCHED: Final = ("hits", "context", "hit words")
"""The figures of a run without answers, which is a search."""


def question_reports(questions: Sequence[DocumentQuestion], runs: Mapping[str, QuestionRun]) -> list[Report]:
    """Return the tables, from the finest to the one over all; for a search, only what its hits contain."""
    scores = [score_question(question, runs.get(question.id)) for question in questions]
    turns = {
        "first": [score for score in scores if score.question.turn == 1],
        "later": [score for score in scores if score.question.turn > 1],
    }
    groups = {"corpus": group_scores(scores, "corpus"), "kind": group_scores(scores, "kind"), "turn": turns}
    has_answers = any(run.answer for run in runs.values())
    figures = tuple(Means.of(scores).figures) if has_answers else SEARCHED
    tables = [_table(title, group, figures) for title, group in (groups | {"all": {"together": scores}}).items()]
    return [*tables, _curve(scores)] if has_answers else tables


def _table(title: str, groups: Mapping[str, Sequence[QuestionScore]], headings: Sequence[str]) -> Report:
    means_of = {name: Means.of(scores) for name, scores in groups.items()}
    rows = tuple(
        (name, str(means.count), *(_figure(figure, means.figures[figure]) for figure in headings))
        for name, means in means_of.items()
    )
    return Report(f"by {title}" if title != "all" else title, (title, "questions", *headings), rows)


def _curve(scores: Sequence[QuestionScore]) -> Report:
    """The curve at one threshold for all corpora and, if there are several, at thresholds each set on all others."""
    in_sample, left_out = holding_curve(scores, LOST), left_out_curve(scores, LOST)
    points = zip_longest(LOST[: len(in_sample)], in_sample, left_out)
    rows = tuple((f"{most:.2f}", *_shares(point), *_shares(left_out_point)) for most, point, left_out_point in points)
    headings = ("answerable at most", "answerable", "unanswerable", "answerable, left out", "unanswerable, left out")
    return Report("held back by the abstain score", headings, rows)


def _shares(point: HoldingPoint | None) -> tuple[str, str]:
    return (f"{point.lost:.3f}", f"{point.held:.3f}") if point else ("-", "-")


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.1f}" if name in ("words", "p95", "hit words") else f"{value:.3f}"
