"""Overlap of an answer with a reference answer: token F1 and ROUGE-L, with a baseline that only copies.

Tokens are compared as in SQuAD's scorer (Rajpurkar et al. 2016): lower case, no punctuation, no articles. ROUGE-L is
the F measure of the longest common subsequence (Lin 2004), whose length is computed with bit vectors (Hyyrö 2004).
"""

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from evaluation.runs import TaskRun
from evaluation.tasks import ANSWERABLE, PARTIAL, Task
from libs.text.sentences import split_sentences

ALL: Final = "all"
BASELINE_SENTENCES: Final = 2
"""Number of sentences that the baseline copies from the start of the ranking's top passage."""
_ARTICLES: Final = frozenset({"a", "an", "the"})
_MARKERS: Final = re.compile(r"\[\d+\]")
_NO_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Both measures, in [0, 1]."""

    f1: float
    rouge_l: float


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """Means over the tasks of a domain, or of all domains."""

    domain: str
    tasks: int
    answer: Overlap
    baseline: Overlap
    """The first sentences of the top passage."""


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


def overlap_rows(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> list[OverlapRow]:
    """Return one row per domain, then one over all: tasks of the run that are answerable and have a reference answer.

    Empty for a run that does not record the passages of its answers: it has no baseline.
    """
    runs_of_tasks = [(task, runs[task.task_id]) for task in tasks if _counts(task) and task.task_id in runs]
    if not any(run.references for _, run in runs_of_tasks):
        return []
    pairs = [(t.domain, overlap(run.answer, t.reference_answer), _baseline(t, run)) for t, run in runs_of_tasks]
    rows = []
    for domain in [*sorted({domain for domain, _, _ in pairs}), ALL]:
        of_domain = [(ours, plain) for of, ours, plain in pairs if domain in (of, ALL)]
        if of_domain:
            rows.append(
                OverlapRow(domain, len(of_domain), _mean([o for o, _ in of_domain]), _mean([p for _, p in of_domain]))
            )
    return rows


def _counts(task: Task) -> bool:
    return bool(task.reference_answer) and task.answerability in (ANSWERABLE, PARTIAL)


def _baseline(task: Task, run: TaskRun) -> Overlap:
    top = run.top_reference
    return overlap(first_sentences(top.text) if top else "", task.reference_answer)


def _tokens(text: str) -> list[str]:
    return [token for token in text.lower().translate(_NO_PUNCTUATION).split() if token not in _ARTICLES]


def _f1(common: int, first: Sequence[str], second: Sequence[str]) -> float:
    return 2 * common / (len(first) + len(second)) if common else 0.0


def _mean(overlaps: Sequence[Overlap]) -> Overlap:
    return Overlap(
        *(fsum(values) / len(overlaps) for values in zip(*((o.f1, o.rouge_l) for o in overlaps), strict=True))
    )
