"""A task that starts when it is first awaited, or earlier with `begin`."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")


class LazyTask(Generic[T]):
    """Runs its work once, however often it is started or awaited; the context manager cancels it at the block's end."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._work = work
        self._task: asyncio.Task[T] | None = None

    def begin(self) -> asyncio.Task[T]:
        """Start the task if it has not started yet."""
        if self._task is None:
            self._task = asyncio.create_task(self._work())
        return self._task

    def cancel(self) -> None:
        """Cancel the task if it has started."""
        if self._task is not None:
            self._task.cancel()

    def __await__(self) -> Generator[Any, None, T]:
        """Wait for the result, or raise the work's error; starts the task if needed."""
        return self.begin().__await__()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.cancel()
