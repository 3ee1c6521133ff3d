"""Runs a process: event loop, signals, exit code."""

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

from libs.runtime.errors import DataLoss
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


@contextmanager
def until_signal() -> Iterator[None]:
    """End the block when a signal cancels the process's main function, and go on after it."""
    task = asyncio.current_task()
    try:
        yield
    except asyncio.CancelledError:
        if task is not None and task.uncancel():  # a second signal has come before the task could go on
            task.uncancel()
            task.cancel()


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a process's main function on uvloop, which each signal cancels; returns when it is done or cancelled.

    Raises:
        SystemExit: with a message on standard error; 2 if the settings are invalid or need an extra that is not
            installed, 1 if the port is in use or a store's file cannot be used.
    """
    import uvloop  # missing on Windows, where the command line runs but nothing serves

    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_stoppable(main))
    except asyncio.CancelledError:
        return  # by a signal before or after serving
    except (SettingsError, BindError, UnusableFile, DataLoss, ModuleNotFoundError) as error:
        problem = error.__cause__ if isinstance(error, DataLoss) else error
        problem = missing_extra(problem) if isinstance(problem, ModuleNotFoundError) else problem
        if problem is None:
            raise
        sys.stderr.write(f"{problem}\n")
        sys.exit(USAGE if isinstance(problem, SettingsError) else FAILURE)


async def _stoppable(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Let each SIGTERM and SIGINT cancel the function."""
    task = asyncio.current_task()
    assert task is not None
    for number in SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    await main()
