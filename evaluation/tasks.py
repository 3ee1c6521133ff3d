"""Tasks: the last turn of a conversation with its history, and the passages that people judged relevant to it.

They are in MTRAG's format, a folder of `<domain>.<set>.tasks.jsonl.gz` (or `.jsonl`) with the lines {task_id, domain,
conversation_id, turn, answerability, history [{speaker, text}], last_turn, qrels {passage id: grade},
reference_answer}; other keys are ignored.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from cli.connection.gateway_connection import CommandError
from evaluation.files import read_lines

ENDINGS: Final = (".tasks.jsonl.gz", ".tasks.jsonl")
USER, AGENT = "user", "agent"
ANSWERABLE, PARTIAL, UNANSWERABLE, UNDERSPECIFIED = "ANSWERABLE", "PARTIAL", "UNANSWERABLE", "UNDERSPECIFIED"
SPEAKERS: Final = {"user": USER, "agent": AGENT, "assistant": AGENT}


@dataclass(frozen=True, slots=True)
class TaskMessage:
    """A message of a history."""

    speaker: str
    """USER or AGENT."""
    text: str


@dataclass(frozen=True, slots=True)
class Task:
    """A turn to ask, and what is known about it."""

    task_id: str
    domain: str
    """The collection in which it is asked."""
    set_name: str
    last_turn: str
    history: tuple[TaskMessage, ...] = ()
    answerability: str = ""
    """ANSWERABLE, PARTIAL, UNANSWERABLE, UNDERSPECIFIED, CONVERSATIONAL; empty if it was not judged."""
    relevant: frozenset[str] = frozenset()
    """Ids of the relevant passages; empty if retrieval was not judged."""
    conversation_id: str = ""
    """The conversation to which it belongs; empty if unknown."""
    turn: int = 0
    """Its number in the conversation, counted from 1; 0 if unknown."""
    reference_answer: str = ""
    """An answer written by a person; empty if unknown."""


def read_tasks(folder: Path, set_name: str = "", domain: str = "") -> list[Task]:
    """Read all tasks of a folder, or of one set or domain in it, domain by domain.

    Raises:
        CommandError: there are none, one occurs twice, a file cannot be read, or a line is not a task.
    """
    files = [file for file in _files(folder, set_name) if file[1] == (domain or file[1])]
    tasks = [
        task for path, of_domain, name in files for task in read_lines(path, partial(_task, of_domain, name), "a task")
    ]
    if not tasks:
        pattern = f"{domain or '<domain>'}.{set_name or '<set>'}{ENDINGS[0]}"
        raise CommandError(f"There is no task in {folder} ({pattern}).")
    _refuse_twins(tasks)
    return tasks


def _files(folder: Path, set_name: str) -> Iterator[tuple[Path, str, str]]:
    """Yield the task files with their domain and set."""
    for path in sorted(folder.glob("*.tasks.jsonl*")):
        ending = next((ending for ending in ENDINGS if path.name.endswith(ending)), None)
        domain, _, name = path.name.removesuffix(ending or "").partition(".")
        if ending and name and name == (set_name or name):
            yield path, domain, name


def _task(domain: str, set_name: str, fields: dict[str, Any]) -> Task:
    return Task(
        task_id=fields["task_id"],
        domain=fields.get("domain") or domain,
        set_name=set_name,
        last_turn=fields["last_turn"],
        history=tuple(
            TaskMessage(SPEAKERS[message["speaker"].lower()], message["text"])
            for message in fields.get("history") or ()
        ),
        answerability=fields.get("answerability") or "",
        relevant=frozenset(passage for passage, grade in (fields.get("qrels") or {}).items() if grade > 0),
        conversation_id=fields.get("conversation_id") or "",
        turn=int(fields.get("turn") or 0),
        reference_answer=fields.get("reference_answer") or "",
    )


def _refuse_twins(tasks: Sequence[Task]) -> None:
    task_id, count = Counter(task.task_id for task in tasks).most_common(1)[0]
    if count > 1:
        raise CommandError(f"The task {task_id} occurs twice; choose one of its sets with --set.")
