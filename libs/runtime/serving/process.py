"""Runs a process: event loop, signals, exit code."""

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from libs.runtime.extras import missing_extra
from libs.runtime.serving.listen import BindError
from libs.runtime.settings import SettingsError
from libs.runtime.storage import UnusableFile

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
FAILURE: Final = 1
USAGE: Final = 2


YOUNG_OBJECTS: Final = 20_000
"""Allocations between two garbage collections; a turn makes some ten thousand, with few cycles (Python: 700; taste)."""


def settle() -> None:
    """Exclude all objects loaded so far from garbage collection, and make collections rarer."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


@dataclass(frozen=True, slots=True)
class StopSignal:
    """Events that the first and the second SIGTERM or SIGINT set."""

    first: asyncio.Event = field(default_factory=asyncio.Event)
    second: asyncio.Event = field(default_factory=asyncio.Event)

    def arrive(self) -> None:
        """Record one more signal."""
        (self.second if self.first.is_set() else self.first).set()


@contextmanager
def stop_signal() -> Iterator[StopSignal]:
    """Within the block SIGTERM and SIGINT set events; after it they cancel the current task."""
    signals = StopSignal()
    _on_signal(signals.arrive)
    try:
        yield signals
    finally:
        _cancel_on_signal()


async def first_of(event: asyncio.Event, *tasks: asyncio.Task[Any], seconds: float | None = None) -> None:
    """Return when the event is set, a task has ended, or the time is over."""
    waiting = asyncio.create_task(event.wait())
    try:
        await asyncio.wait({waiting, *tasks}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a process's main function on uvloop; returns when it is done or a signal has stopped it.

    Raises:
        SystemExit: with a message on standard error; 2 if the settings are invalid or need an extra that is not
            installed, 1 if the port is in use or a store's file cannot be used.
    """
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_stoppable(main))
    except asyncio.CancelledError:
        return  # stopped by a signal before or after serving
    except (SettingsError, BindError, UnusableFile, ModuleNotFoundError) as error:
        problem = missing_extra(error) if isinstance(error, ModuleNotFoundError) else error
        if problem is None:
            raise
        sys.stderr.write(f"{problem}\n")
        sys.exit(USAGE if isinstance(problem, SettingsError) else FAILURE)


async def _stoppable(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    _cancel_on_signal()
    await main()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # not available for this platform
        return None
    return uvloop.new_event_loop


def _cancel_on_signal() -> None:
    task = asyncio.current_task()
    assert task is not None
    _on_signal(task.cancel)


def _on_signal(act: Callable[[], object]) -> None:
    for number in SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, act)
