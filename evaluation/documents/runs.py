"""Results of questions, one JSON line each: the suite's answer, or the passages that its search ranked."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evaluation.files import read_lines, reader_of

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


def read_question_runs(path: Path) -> dict[str, QuestionRun]:
    """Read all lines of a run, by question; unknown keys are ignored.

    Raises:
        CommandError: the file cannot be read, or a line is not part of a run.
    """
    return {run.id: run for run in read_lines(path, reader_of(QuestionRun), "a line of a run over documents")}
