"""Conversations rebuilt from the tasks of a set, of which each is one turn."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.door import CommandError
from evaluation.tasks import Task


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn to be asked."""

    turn_id: str
    number: int
    """As the data counts it."""
    question: str


Conversation = tuple[Turn, ...]
"""Its turns, the oldest first; one that the data lacks is left out."""


def rebuild(tasks: Iterable[Task]) -> list[Conversation]:
    """The conversations in the order in which the data begins them.

    Raises:
        CommandError: a task tells no conversation, or two tell the same turn of one.
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
