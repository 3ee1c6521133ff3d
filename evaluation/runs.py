"""The results of tasks, one JSON line each, written as they arrive, so that a run can be resumed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from evaluation.files import read_lines, reader_of

TOTAL: Final = "turn"
"""The key of a whole turn's time, next to those of the stages."""
ABSTAINED: Final = "ABSTAINED"
"""The outcome of a turn whose answer says that there is no answer."""


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence of the final answer, including its markers."""

    number: int
    """Counted from 1 over the whole answer, withdrawn sentences included."""
    text: str


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that the answer was written from."""

    number: int
    """The number by which the answer cites it, from 1."""
    passage_id: str
    text: str
    title: str = ""
    vector: float | None = None
    """Its cosine similarity; None if the vector engine did not score it."""


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """A passage that a sentence cites, and its verdict."""

    sentence: int
    """Counted from 1 over the whole answer."""
    passage_id: str
    verdict: str


@dataclass(frozen=True, slots=True)
class TaskRun:
    """The result of one task."""

    task_id: str
    strategy: str = ""
    decision: str = ""
    reason: str = ""
    standalone: str = ""
    question: str = ""
    """The standalone question grounded in time and place, which was answered."""
    docs: tuple[tuple[str, float], ...] = ()
    """The ranking before grouping, merged over the graph's nodes, the best first."""
    references: tuple[FoundPassage, ...] = ()
    answer: str = ""
    sentences: tuple[SaidSentence, ...] = ()
    gaps: tuple[str, ...] = ()
    """Parts of the question for which the answer says that nothing was found."""
    citations: tuple[CitedPassage, ...] = ()
    outcome: str = ""
    """As the contract names it, without its prefix."""
    abstained: bool = False
    """Whether the evidence was judged to contain no answer, acted on or not."""
    abstain_score: float = 0.0
    asked_back: bool = False
    ask_score: float = 0.0
    choices: tuple[str, ...] = ()
    rejected: bool = False
    ms: Mapping[str, float] = field(default_factory=dict)
    """Wall time in milliseconds by stage, and of the whole turn."""

    @property
    def top_reference(self) -> FoundPassage | None:
        """The ranking's first passage if the answer was written from it, else the first reference; None without any."""
        top = self.docs[0][0] if self.docs else ""
        return next(
            (reference for reference in self.references if reference.passage_id == top),
            next(iter(self.references), None),
        )


def read_runs(path: Path) -> dict[str, TaskRun]:
    """Read all lines of a run, by task; of two lines of one task the later counts.

    Raises:
        CommandError: the file cannot be read, or a line is not part of a run.
    """
    return {run.task_id: run for run in read_lines(path, reader_of(TaskRun), "a line of a run")}
