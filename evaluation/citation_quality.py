"""The quality of a run's citations: whether sentences are supported, and whether people judged what they cite relevant.

Precision is the share of cited sentences that verification found supported; recall is the share of factual sentences
that carry such a citation. Sentences in which the suite speaks of itself (that nothing was found, which section it
quotes) are not factual.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evaluation.ranking import in_order
from evaluation.runs import ABSTAINED, TaskRun
from evaluation.tasks import Task

ALL: Final = "all"
_NAMES_SECTION: Final = re.compile(r"\*\*.+\*\*\s*\[\d+\]")
VERIFIED: Final = "verified"
WITHDRAWN: Final = "withdrawn"


@dataclass(frozen=True, slots=True)
class SupportRow:
    """Counts of sentences in the answers of a domain, or of all domains."""

    domain: str
    cited: int
    """Sentences of the final answer that have a citation."""
    borne_out: int
    """Those of them that verification found supported."""
    factual: int
    """All sentences except those in which the suite speaks of itself."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """Cited passages of the judged tasks with citations, in a domain or in all; a passage counts once per task."""

    domain: str
    tasks: int
    cited: int
    cited_relevant: int
    """Cited passages that people judged relevant."""
    share: float
    """The share of a task's cited passages that were judged relevant, averaged over tasks."""
    ranking: float
    """The ranking's precision at 1 over the same tasks."""
    hit: int
    """Tasks that cite at least one relevant passage."""


def support_rows(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> list[SupportRow]:
    """Return one row per domain, then one over all."""
    runs_of_tasks = [(task, runs[task.task_id]) for task in tasks if task.task_id in runs]
    return [
        SupportRow(domain, *map(sum, zip(*(_support(run) for _, run in of_domain), strict=True)))
        for domain, of_domain in _by_domain(runs_of_tasks)
    ]


def judged_rows(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> list[JudgedRow]:
    """Return one row per domain, then one over all."""
    runs_of_tasks = [(task, runs[task.task_id]) for task in tasks if task.relevant and task.task_id in runs]
    citing = [(task, run) for task, run in runs_of_tasks if _cited_passages(run)]
    return [_judged_row(domain, of_domain) for domain, of_domain in _by_domain(citing)]


def _by_domain(runs_of_tasks: Sequence[tuple[Task, TaskRun]]) -> list[tuple[str, list[tuple[Task, TaskRun]]]]:
    domains = [*sorted({task.domain for task, _ in runs_of_tasks}), ALL]
    return [
        (domain, of_domain)
        for domain in domains
        if (of_domain := [p for p in runs_of_tasks if domain in (p[0].domain, ALL)])
    ]


def _support(run: TaskRun) -> tuple[int, int, int]:
    """Count the sentences that cite, that are supported, and that are factual."""
    citing = {citation.sentence for citation in run.citations if citation.verdict != WITHDRAWN}
    supported = {citation.sentence for citation in run.citations if citation.verdict == VERIFIED}
    standing = {sentence.number: sentence.text for sentence in run.sentences}
    own = {number for number, text in standing.items() if number not in citing and _is_own_word(text, run)}
    return len(citing & standing.keys()), len(supported & standing.keys()), len(standing) - len(own)


def _is_own_word(text: str, run: TaskRun) -> bool:
    """Whether a sentence only names a section, or says that nothing was found for the question or a part of it."""
    if _NAMES_SECTION.fullmatch(text):
        return True
    return run.outcome == ABSTAINED or any(gap.rstrip("?!. ") in text for gap in run.gaps)


def _cited_passages(run: TaskRun) -> set[str]:
    return {citation.passage_id for citation in run.citations if citation.verdict != WITHDRAWN}


def _judged_row(domain: str, runs_of_tasks: Sequence[tuple[Task, TaskRun]]) -> JudgedRow:
    passages = [(_cited_passages(run), _cited_passages(run) & task.relevant) for task, run in runs_of_tasks]
    first_passages = [in_order(run.docs)[:1] for _, run in runs_of_tasks]
    return JudgedRow(
        domain,
        len(runs_of_tasks),
        sum(len(cited) for cited, _ in passages),
        sum(len(relevant) for _, relevant in passages),
        sum(len(relevant) / len(cited) for cited, relevant in passages) / len(runs_of_tasks),
        sum(
            task.relevant.issuperset(top) and bool(top)
            for (task, _), top in zip(runs_of_tasks, first_passages, strict=True)
        )
        / len(runs_of_tasks),
        sum(bool(relevant) for _, relevant in passages),
    )
