"""Rebuild conversations from the tasks of a set, each of which is one turn."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.door import CommandError
from evaluation.tasks import Task


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn to ask."""

    turn_id: str
    number: int
    """As numbered in the data."""
    question: str


Conversation = tuple[Turn, ...]
"""Its turns, the oldest first; turns that the data lacks are left out."""


def rebuild(tasks: Iterable[Task]) -> list[Conversation]:
    """Return the conversations in the order in which they begin in the data.

    Raises:
        CommandError: a task names no conversation, or two tasks are the same turn of one.
    """
    turns: defaultdict[str, list[Turn]] = defaultdict(list)
    for task in tasks:
        if not task.conversation_id:
            raise CommandError(f"The task {task.task_id} does not say to which conversation it belongs.")
        turns[task.conversation_id].append(Turn(task.task_id, task.turn, task.last_turn))
    return [_in_order(found) for found in turns.values()]


def _in_order(turns: Sequence[Turn]) -> Conversation:
    numbered = {turn.number: turn for turn in turns}
    if len(numbered) < len(turns):
        twin = next(turn for turn in turns if numbered[turn.number] is not turn)
        raise CommandError(f"The turn {twin.number} of {twin.turn_id}'s conversation is there twice.")
    return tuple(numbered[number] for number in sorted(numbered))
