"""Results of questions, one JSON line each: the suite's answer, or the passages that its search ranked."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from evaluation.files import read_lines, writing

ANSWERED: Final = "answered"
HELD_BACK: Final = frozenset({"abstained", "asked"})
"""Outcomes of a turn in which the suite chose to give no answer."""


@dataclass(frozen=True, slots=True)
class QuestionRun:
    """The result of one question."""

    id: str
    answer: str = ""
    outcome: str = ANSWERED
    """answered, abstained, asked or rejected; a search always counts as answered."""
    passages: tuple[str, ...] = ()
    """The top-ranked passages, title and headings before the text, the best first."""
    abstain_score: float = 0.0
    """How sure the suite is that its evidence holds no answer, 0 to 1."""
    standalone: str = ""
    """The standalone question that the suite made."""
    milliseconds: float = 0.0


def write_runs(path: Path, runs: Iterable[QuestionRun]) -> Iterator[QuestionRun]:
    """Yield the runs as they arrive, each written to the file before the next is requested.

    Raises:
        CommandError: the file cannot be written.
    """
    with writing(path) as write:
        for run in runs:
            write(json.dumps(asdict(run), ensure_ascii=False))
            yield run


def read_question_runs(path: Path) -> dict[str, QuestionRun]:
    """Read all lines of a run, by question; unknown keys are ignored.

    Raises:
        CommandError: the file cannot be read, or a line is not part of a run.
    """
    return {run.id: run for run in read_lines(path, _run, "a line of a run over documents")}


def _run(line: Mapping[str, Any]) -> QuestionRun:
    values = {item.name: line[item.name] for item in fields(QuestionRun) if item.name in line}
    values["passages"] = tuple(map(str, line.get("passages", ())))
    return QuestionRun(**values)
