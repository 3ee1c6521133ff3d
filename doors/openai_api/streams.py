"""The server-sent events of a streamed completion: its pieces, signs of life in its silences, and how it ends."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from doors.answer_data import Json
from doors.openai_api.completions import Completion, ModelResponse, event, parley_error_body
from parley.client.errors import ParleyError
from parley.client.events import TurnEvent
from parley.client.released_text import ReleasedText
from parley.client.turns import AsyncTurn

SILENT_SECONDS: Final = 10.0
"""Silence after which a stream says that it lives; proxies cut one that is silent for 15 s to 60 s."""
ALIVE: Final = ": keep-alive\n\n"
"""A comment, which readers of server-sent events leave aside."""


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
            yield ALIVE if piece is None else event(piece)
    except ParleyError as error:
        yield event(parley_error_body(error))
    yield event("[DONE]")


async def with_silences(stream: AsyncIterator[Json]) -> AsyncIterator[Json | None]:
    """The pieces, and None whenever none came for so long; who leaves cancels the wait for the next one."""
    while True:
        coming = asyncio.ensure_future(anext(stream, None))
        try:
            while not (await asyncio.wait((coming,), timeout=SILENT_SECONDS))[0]:
                yield None
        finally:
            coming.cancel()
            await asyncio.wait((coming,))
        piece = coming.result()
        if piece is None:
            return
        yield piece
