"""A turn that is being answered: its events as they come, or its finished answer. Reading blocks, or awaits."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import grpc

from parley.client.answers import Answer, AnswerBuilder
from parley.client.errors import error_of
from parley.client.event_reader import EventReader
from parley.client.events import TurnEvent

R = TypeVar("R")
Completed = Callable[[Answer], None]
"""Called with a turn's answer once it is finished."""


class _Reading(Generic[R]):
    """Reads the responses of a turn into events and its answer."""

    def __init__(self, question: str, responses: R, completed: Completed = lambda answer: None) -> None:
        self._builder = AnswerBuilder(question)
        self._responses = responses
        self._reader = EventReader()
        self._completed = completed

    @property
    def answer_so_far(self) -> Answer:
        """What has come until now."""
        return self._builder.answer()

    def _read(self, response: Any) -> TurnEvent:
        event = self._reader.read(response.event)
        self._builder.add(event)
        if self._builder.is_complete:
            self._completed(self._builder.answer())
        return event


class Turn(_Reading[Generator[Any, None, None]]):
    """A turn. Iterate over it for its events, or call `answer` to wait for the whole; both raise ParleyError.

    The turn begins with the first of both. It is resumed by itself if the connection breaks. Leaving a `with` block, or
    `cancel`, cancels one that has not ended.
    """

    def __iter__(self) -> Iterator[TurnEvent]:
        try:
            for response in self._responses:
                yield self._read(response)
        except grpc.RpcError as error:
            raise error_of(error) from None

    def answer(self) -> Answer:
        """Wait for the end and return the answer.

        Raises:
            ParleyError: the turn failed.
        """
        for _ in self:
            pass
        return self._builder.answer()

    def cancel(self) -> None:
        """Cancel the turn; the events so far stay."""
        self._responses.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.cancel()

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()


class AsyncTurn(_Reading[AsyncGenerator[Any, None]]):
    """A turn, as `Turn`, for `async for`; awaiting it gives the answer."""

    async def __aiter__(self) -> AsyncIterator[TurnEvent]:
        try:
            async for response in self._responses:
                yield self._read(response)
        except grpc.RpcError as error:
            raise error_of(error) from None

    async def answer(self) -> Answer:
        """Wait for the end and return the answer.

        Raises:
            ParleyError: the turn failed.
        """
        async for _ in self:
            pass
        return self._builder.answer()

    def __await__(self) -> Generator[Any, None, Answer]:
        answer: Awaitable[Answer] = self.answer()
        return answer.__await__()

    async def cancel(self) -> None:
        """Cancel the turn; the events so far stay."""
        await self._responses.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.cancel()
