"""Rebuild conversations from the tasks of a set, each of which is one turn."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cli.connection.gateway_connection import CommandError
from evaluation.tasks import Task


@dataclass(frozen=True, slots=True)
class ConversationTurn:
    """A turn to ask."""

    turn_id: str
    number: int
    """As numbered in the data."""
    question: str


Conversation = tuple[ConversationTurn, ...]
"""Its turns, the oldest first; turns that the data lacks are left out."""


def rebuild(tasks: Iterable[Task]) -> list[Conversation]:
    """Return the conversations in the order in which they begin in the data.

    Raises:
        CommandError: a task names no conversation, or two tasks are the same turn of one.
    """
    turns: defaultdict[str, list[ConversationTurn]] = defaultdict(list)
    for task in tasks:
        if not task.conversation_id:
            raise CommandError(f"The task {task.task_id} does not say to which conversation it belongs.")
        turns[task.conversation_id].append(ConversationTurn(task.task_id, task.turn, task.last_turn))
    return [_in_order(conversation_turns) for conversation_turns in turns.values()]


def _in_order(turns: Sequence[ConversationTurn]) -> Conversation:
    turns_by_number = {turn.number: turn for turn in turns}
    if len(turns_by_number) < len(turns):
        duplicate = next(turn for turn in turns if turns_by_number[turn.number] is not turn)
        raise CommandError(f"The turn {duplicate.number} of {duplicate.turn_id}'s conversation occurs twice.")
    return tuple(turns_by_number[number] for number in sorted(turns_by_number))
