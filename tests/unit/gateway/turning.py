"""Asking a turn, and picking from what it told."""

from typing import TypeVar

from gateway.convert import KINDS
from gateway.events import Completed, Event
from gateway.request import TurnRequest
from gateway.turns import Turns
from services.runtime.errors import Unavailable
from services.vocabulary.understanding import QuestionRejection, QuestionSupplement, Understanding

K = TypeVar("K")
ASK = TurnRequest("When did it land?")
DOWN = Unavailable("STAGE_UNAVAILABLE", "the service can't be reached right now")
REJECTED = Understanding(QuestionRejection(True, "That I do not answer."), grounded_query="x")
ASKED = Understanding(
    question_supplement=QuestionSupplement(True, "Which one?", ("Viking 1", "Viking 2")), grounded_query="x"
)


async def ask(turns: Turns, request: TurnRequest = ASK) -> list[Event]:
    return [event async for event in turns.ask(request)]


def kinds(events: list[Event]) -> list[str]:
    return [KINDS[type(event.happening)] for event in events]


def completed(events: list[Event]) -> Completed:
    assert isinstance(events[-1].happening, Completed)
    return events[-1].happening


def pick(events: list[Event], kind: type[K]) -> list[K]:
    return [event.happening for event in events if isinstance(event.happening, kind)]
