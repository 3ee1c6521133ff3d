"""The quality of a run's citations: whether sentences are supported, and whether people judged what they cite relevant.

Precision is the share of cited sentences that verification found supported; recall is the share of factual sentences
that carry such a citation. Sentences in which the suite speaks of itself (that nothing was found, which section it
quotes) are not factual.
"""

import re
from collections.abc import Sequence
from typing import Final

from evaluation.ranking import in_order
from evaluation.runs import ABSTAINED, TaskRun
from evaluation.tables import Report, Runs, by_domain, part, runs_of, share, three
from evaluation.tasks import Task

VERIFIED: Final = "verified"
WITHDRAWN: Final = "withdrawn"
_NAMES_SECTION: Final = re.compile(r"\*\*.+\*\*\s*\[\d+\]")  # a bold heading with its citation


def support_report(tasks: Sequence[Task], runs: Runs) -> Report:
    """Sentences of the final answers: cited, of these found supported, and factual."""
    rows = []
    for domain, of_domain in by_domain(runs_of(tasks, runs)):
        cited, supported, factual = map(sum, zip(*(_support(run) for _, run in of_domain), strict=True))
        if factual:
            row = (domain, str(cited), part(supported, cited), str(factual), part(supported, factual))
            rows.append(row)
    headings = ("domain", "cited sentences", "borne out (precision)", "factual sentences", "cited so (recall)")
    return Report("sentences", headings, tuple(rows))


def judged_report(tasks: Sequence[Task], runs: Runs) -> Report:
    """Cited passages of the judged tasks with citations; a passage counts once per task.

    The mean is that of each task's share of relevant ones; the ranking's precision at 1 is over the same tasks.
    """
    citing = [(task, run) for task, run in runs_of(tasks, runs) if task.relevant and _cited_passages(run)]
    headings = ("domain", "tasks", "cited relevant", "mean of tasks", "ranking's P@1", "tasks citing a relevant one")
    rows = tuple(_judged_row(domain, of_domain) for domain, of_domain in by_domain(citing))
    return Report("cited passages, as people judged them", headings, rows)


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


def _judged_row(domain: str, runs_of_tasks: Sequence[tuple[Task, TaskRun]]) -> tuple[str, ...]:
    count = len(runs_of_tasks)
    passages = [(_cited_passages(run), _cited_passages(run) & task.relevant) for task, run in runs_of_tasks]
    firsts = sum(bool(task.relevant.intersection(in_order(run.docs)[:1])) for task, run in runs_of_tasks)
    relevant_count, cited_count = (sum(len(pair[side]) for pair in passages) for side in (1, 0))
    return (
        domain,
        str(count),
        share(relevant_count, cited_count),
        three(sum(len(relevant) / len(cited) for cited, relevant in passages) / count),
        three(firsts / count),
        share(sum(bool(relevant) for _, relevant in passages), count),
    )
