"""Work that may begin now and may wait: it is begun once, at the latest when its result is wanted."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")


class LazyTask(Generic[T]):
    """Work of which there is one result, however often it is begun or awaited.

    As a context manager it is cancelled at the block's end, where nobody has waited for it.
    """

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._work = work
        self._task: asyncio.Task[T] | None = None

    def begin(self) -> asyncio.Task[T]:
        """Do it from now on."""
        if self._task is None:
            self._task = asyncio.create_task(self._work())
        return self._task

    def cancel(self) -> None:
        """It is wanted no more."""
        if self._task is not None:
            self._task.cancel()

    def __await__(self) -> Generator[Any, None, T]:
        """The result, begun where it was not; its error is raised."""
        return self.begin().__await__()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.cancel()
