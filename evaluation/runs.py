"""What the suite made of each task: a JSON line a task, written as it comes, so that a run can go on where it ended."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from cli.door import CommandError

TOTAL: Final = "turn"
"""The key of a whole turn's time, beside those of the stages."""
ABSTAINED: Final = "ABSTAINED"
"""The outcome of a turn whose answer says that there is none."""


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence that stands in the answer, markers included."""

    number: int
    """Counted from 1 over the whole answer, those among them that were taken out."""
    text: str


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that the answer was written from."""

    number: int
    """By which the answer cites it, from 1."""
    passage_id: str
    text: str
    title: str = ""
    vector: float | None = None
    """Its cosine; None where the vector engine did not score it."""


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """A passage that a sentence cites, and what checking gave."""

    sentence: int
    """Counted from 1 over the whole answer."""
    passage_id: str
    verdict: str


@dataclass(frozen=True, slots=True)
class TaskRun:
    """One task's line."""

    task_id: str
    strategy: str = ""
    decision: str = ""
    reason: str = ""
    standalone: str = ""
    question: str = ""
    """The standalone question grounded in time and place: what was answered."""
    docs: tuple[tuple[str, float], ...] = ()
    """The ranking before grouping, merged over the graph's nodes, the best first."""
    references: tuple[FoundPassage, ...] = ()
    answer: str = ""
    sentences: tuple[SaidSentence, ...] = ()
    gaps: tuple[str, ...] = ()
    """Parts of the question that the answer says nothing was found about."""
    citations: tuple[CitedPassage, ...] = ()
    outcome: str = ""
    """As the contract names it, without its prefix."""
    abstained: bool = False
    """Whether the evidence was judged to hold no answer, acted on or not."""
    abstain_score: float = 0.0
    asked_back: bool = False
    ask_score: float = 0.0
    choices: tuple[str, ...] = ()
    rejected: bool = False
    ms: Mapping[str, float] = field(default_factory=dict)
    """Wall time in milliseconds by stage, and of the whole turn."""

    @property
    def top_reference(self) -> FoundPassage | None:
        """The ranking's first passage where the answer was written from it, else the first reference."""
        top = self.docs[0][0] if self.docs else ""
        return next((found for found in self.references if found.passage_id == top), next(iter(self.references), None))


def to_line(run: TaskRun) -> str:
    """As it stands in the file."""
    return json.dumps(asdict(run), ensure_ascii=False)


def from_line(line: str) -> TaskRun:
    """From the file; keys that another program left out or added do no harm.

    Raises:
        ValueError: the line is no JSON object with a task_id, or a field is of another kind.
    """
    try:
        told: dict[str, Any] = json.loads(line)
        known = {item.name: told[item.name] for item in fields(TaskRun) if item.name in told}
        known["docs"] = tuple((str(passage), float(score)) for passage, score in told.get("docs", ()))
        known["citations"] = tuple(CitedPassage(**cited) for cited in told.get("citations", ()))
        known["references"] = tuple(FoundPassage(**found) for found in told.get("references", ()))
        known["sentences"] = tuple(SaidSentence(**said) for said in told.get("sentences", ()))
        known["gaps"] = tuple(told.get("gaps", ()))
        known["choices"] = tuple(told.get("choices", ()))
        return TaskRun(**known)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(str(error)) from error


def read_runs(path: Path) -> dict[str, TaskRun]:
    """All lines of a run by task; of two lines of one task the later counts.

    Raises:
        CommandError: the file cannot be read, or a line is none.
    """
    try:
        content = path.read_bytes().decode()
    except OSError as error:
        raise CommandError(f"The file {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"The file {path} is not UTF-8 text.") from None
    lines = enumerate(content.split("\n"), start=1)
    runs = [_run(line, f"{path}, line {number}") for number, line in lines if line.strip()]
    return {run.task_id: run for run in runs}


def _run(line: str, where: str) -> TaskRun:
    try:
        return from_line(line)
    except ValueError as error:
        raise CommandError(f"This is no line of a run: {where} ({error}).") from None


def mend(path: Path) -> None:
    """Take off a last line that was cut in its middle, so that the run can go on behind it."""
    with path.open("r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)
