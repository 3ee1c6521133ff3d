"""Overlap of an answer with a reference answer: token F1 and ROUGE-L, with a baseline that only copies. Pure.

Tokens are compared as in SQuAD's scorer (Rajpurkar et al. 2016): lower case, no punctuation, no articles. ROUGE-L is
the F measure of the longest common subsequence (Lin 2004), whose length is computed with bit vectors (Hyyrö 2004).
"""

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from evaluation.runs import TaskRun
from evaluation.tables import Report, Runs, by_domain, runs_of, three
from evaluation.tasks import ANSWERABLE, PARTIAL, Task
from libs.text.sentences import split_sentences

BASELINE_SENTENCES: Final = 2
"""Number of sentences that the baseline copies from the start of the ranking's top passage (taste)."""
_ARTICLES: Final = frozenset({"a", "an", "the"})
_MARKERS: Final = re.compile(r"\[\d+\]")
_NO_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Both measures, in [0, 1]."""

    f1: float
    rouge_l: float


def overlap(answer: str, reference: str) -> Overlap:
    """Compare an answer with a reference; markers such as [1] do not count."""
    ours, theirs = _tokens(_MARKERS.sub(" ", answer)), _tokens(reference)
    common = (Counter(ours) & Counter(theirs)).total()
    return Overlap(_f1(common, ours, theirs), _f1(longest_common(ours, theirs), ours, theirs))


def longest_common(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence."""
    places: dict[str, int] = {}
    for place, token in enumerate(first):
        places[token] = places.get(token, 0) | 1 << place
    every = (1 << len(first)) - 1
    row = every
    for token in second:
        matches = row & places.get(token, 0)
        row = ((row + matches) | (row - matches)) & every
    return len(first) - row.bit_count()


def first_sentences(text: str, count: int = BASELINE_SENTENCES) -> str:
    """Return the first sentences of a passage, without headings unless it has nothing else."""
    sentences = split_sentences(text, language="en")
    texts = [sentence.text for sentence in sentences if not sentence.heading] or [
        sentence.text for sentence in sentences
    ]
    return " ".join(texts[:count])


def overlap_report(tasks: Sequence[Task], runs: Runs) -> Report:
    """Means over the tasks of the run that are answerable and have a reference answer.

    No rows for a run that does not record the passages of its answers: it has no baseline.
    """
    counted = [(task, run) for task, run in runs_of(tasks, runs) if _counts(task)]
    has_baseline = any(run.references for _, run in counted)
    title = "overlap with the reference answer, beside the top passage's first two sentences"
    headings = ("domain", "tasks", "token F1", "baseline", "ROUGE-L", "baseline")
    return Report(title, headings, tuple(_row(*group) for group in by_domain(counted)) if has_baseline else ())


def _row(domain: str, runs_of_tasks: Sequence[tuple[Task, TaskRun]]) -> tuple[str, ...]:
    answers = [overlap(run.answer, task.reference_answer) for task, run in runs_of_tasks]
    baselines = [_baseline(task, run) for task, run in runs_of_tasks]
    f1s = (fsum(each.f1 for each in side) for side in (answers, baselines))
    rouges = (fsum(each.rouge_l for each in side) for side in (answers, baselines))
    return domain, str(len(answers)), *(three(total / len(answers)) for total in (*f1s, *rouges))


def _counts(task: Task) -> bool:
    return bool(task.reference_answer) and task.answerability in (ANSWERABLE, PARTIAL)


def _baseline(task: Task, run: TaskRun) -> Overlap:
    top = run.top_reference
    return overlap(first_sentences(top.text) if top else "", task.reference_answer)


def _tokens(text: str) -> list[str]:
    return [token for token in text.lower().translate(_NO_PUNCTUATION).split() if token not in _ARTICLES]


def _f1(common: int, first: Sequence[str], second: Sequence[str]) -> float:
    return 2 * common / (len(first) + len(second)) if common else 0.0
