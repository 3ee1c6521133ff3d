"""The server-sent events of a streamed completion: its pieces, and how it ends."""

import json
from collections.abc import AsyncIterator

from doors.answer_data import Json
from doors.event_streams import ALIVE, event, with_silences
from doors.openai_api.completions import Completion, ModelResponse, parley_error_body
from parley.client.errors import ParleyError
from parley.client.events import TurnEvent
from parley.client.released_text import ReleasedText
from parley.client.turns import AsyncTurn


async def pieces(
    turn: AsyncTurn, first: TurnEvent, events: AsyncIterator[TurnEvent], form: Completion | ModelResponse
) -> AsyncIterator[Json]:
    """The pieces of an answer in a form; `first` is the turn's first event, and errors are the turn's."""
    released = ReleasedText()
    for piece in form.begin():
        yield piece
    released.after(first)
    async for each in events:
        text = released.after(each)
        if text:
            yield form.piece(text)
    for piece in form.end(turn.answer_so_far, released.text):
        yield piece


async def sent(stream: AsyncIterator[Json]) -> AsyncIterator[str]:
    """The events of a stream; one that fails in the middle ends with an error."""
    try:
        async for piece in with_silences(stream):
            yield ALIVE if piece is None else _event(piece)
    except ParleyError as error:
        yield _event(parley_error_body(error))
    yield event("[DONE]")


def _event(content: Json) -> str:
    """An event of these data, with its name if they have a type."""
    return event(json.dumps(content, ensure_ascii=False, separators=(",", ":")), content.get("type", ""))
