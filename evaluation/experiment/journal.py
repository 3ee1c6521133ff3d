"""The two files of an experiment, which grow together by one line per turn and can be resumed after any interruption.

The line on how a turn came about is on the disk before the line of the turn itself. Lines that are complete in both
files are kept; a partial line, or one that the other file lacks, is removed before the next one is written.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from cli.connection.gateway_connection import CommandError
from evaluation.experiment.turns import TurnResult, dataset_line, intermediate_line
from evaluation.tasks import Task


@dataclass(frozen=True, slots=True)
class Journal:
    """Both files, open after their last common line."""

    answers: tuple[str, ...]
    """The answers of the turns that were already in the files."""
    dataset: BinaryIO
    intermediate: BinaryIO

    def add(self, turn: Task, numbers: Sequence[int], result: TurnResult) -> None:
        """Write a turn's lines; both are on the disk when this returns."""
        _write(self.intermediate, intermediate_line(turn, numbers, result))
        _write(self.dataset, dataset_line(turn, result))


@contextmanager
def open_journal(dataset: Path, intermediate: Path, turns: Sequence[Task]) -> Iterator[Journal]:
    """Open the files; missing ones are created.

    Args:
        dataset: the file with one line per turn.
        intermediate: the file with how each turn came about.
        turns: all turns in the order in which they are asked.

    Raises:
        CommandError: a file cannot be written, contains other turns, or is being written by another run.
    """
    try:
        for path in (dataset, intermediate):
            path.parent.mkdir(parents=True, exist_ok=True)
        with dataset.open("a+b") as dataset_file, intermediate.open("a+b") as intermediate_file:
            _lock(dataset_file, dataset)
            answered, explained = _whole_lines(dataset_file), _whole_lines(intermediate_file)
            count = min(len(answered), len(explained))
            answers = _answers(answered[:count], dataset, turns)
            dataset_file.truncate(sum(map(len, answered[:count])))
            intermediate_file.truncate(sum(map(len, explained[:count])))
            yield Journal(answers, dataset_file, intermediate_file)
    except OSError as error:
        raise CommandError(f"The file {error.filename or dataset} cannot be opened: {error.strerror}.") from None


def _lock(file: BinaryIO, path: Path) -> None:
    """Lock the file until it is closed."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CommandError(f"Another run is writing {path}.") from None


def _whole_lines(file: BinaryIO) -> list[bytes]:
    file.seek(0)
    return [line for line in file if line.endswith(b"\n")]


def _answers(lines: Sequence[bytes], path: Path, turns: Sequence[Task]) -> tuple[str, ...]:
    """Return the answers of the lines, which must be those of the first turns in their order."""
    if len(lines) > len(turns):
        raise CommandError(f"The file {path} contains more turns than are asked; choose another --out.")
    answers = []
    for number, (line, turn) in enumerate(zip(lines, turns, strict=False), start=1):
        try:
            fields = json.loads(line)
            turn_id, answer = fields["_id"], str(fields["agent_response"])
        except (ValueError, TypeError, KeyError):
            raise CommandError(f"Line {number} of {path} is not a line of an experiment.") from None
        if turn_id != turn.task_id:
            raise CommandError(f"Line {number} of {path} holds {turn_id}, not {turn.task_id}; choose another --out.")
        answers.append(answer)
    return tuple(answers)


def _write(file: BinaryIO, line: str) -> None:
    file.write(f"{line}\n".encode())
    file.flush()
    os.fsync(file.fileno())
