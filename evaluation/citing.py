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
    held = [(task, runs[task.task_id]) for task in tasks if task.task_id in runs]
    return [
        SupportRow(domain, *map(sum, zip(*(_support(run) for _, run in chosen), strict=True)))
        for domain, chosen in _by_domain(held)
    ]


def judged_rows(tasks: Sequence[Task], runs: Mapping[str, TaskRun]) -> list[JudgedRow]:
    """Return one row per domain, then one over all."""
    held = [(task, runs[task.task_id]) for task in tasks if task.relevant and task.task_id in runs]
    citing = [(task, run) for task, run in held if _cited(run)]
    return [_judged(domain, chosen) for domain, chosen in _by_domain(citing)]


def _by_domain(held: Sequence[tuple[Task, TaskRun]]) -> list[tuple[str, list[tuple[Task, TaskRun]]]]:
    domains = [*sorted({task.domain for task, _ in held}), ALL]
    return [(domain, chosen) for domain in domains if (chosen := [p for p in held if domain in (p[0].domain, ALL)])]


def _support(run: TaskRun) -> tuple[int, int, int]:
    """Count the sentences that cite, that are supported, and that are factual."""
    citing = {cited.sentence for cited in run.citations if cited.verdict != WITHDRAWN}
    verified = {cited.sentence for cited in run.citations if cited.verdict == VERIFIED}
    standing = {sentence.number: sentence.text for sentence in run.sentences}
    own = {number for number, text in standing.items() if number not in citing and _is_own_word(text, run)}
    return len(citing & standing.keys()), len(verified & standing.keys()), len(standing) - len(own)


def _is_own_word(text: str, run: TaskRun) -> bool:
    """Whether a sentence only names a section, or says that nothing was found for the question or a part of it."""
    if _NAMES_SECTION.fullmatch(text):
        return True
    return run.outcome == ABSTAINED or any(gap.rstrip("?!. ") in text for gap in run.gaps)


def _cited(run: TaskRun) -> set[str]:
    return {cited.passage_id for cited in run.citations if cited.verdict != WITHDRAWN}


def _judged(domain: str, chosen: Sequence[tuple[Task, TaskRun]]) -> JudgedRow:
    found = [(_cited(run), _cited(run) & task.relevant) for task, run in chosen]
    first = [in_order(run.docs)[:1] for _, run in chosen]
    return JudgedRow(
        domain,
        len(chosen),
        sum(len(cited) for cited, _ in found),
        sum(len(relevant) for _, relevant in found),
        sum(len(relevant) / len(cited) for cited, relevant in found) / len(chosen),
        sum(task.relevant.issuperset(top) and bool(top) for (task, _), top in zip(chosen, first, strict=True))
        / len(chosen),
        sum(bool(relevant) for _, relevant in found),
    )
