"""Work in another process that takes too much fails alone."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Final

import psutil
import pytest

from libs.runtime.isolation import IsolatedProcess

MB = 1024**2
PARENT: Final = """
import sys, time
from libs.runtime.isolation import IsolatedProcess
from tests.unit.runtime.test_isolation import work_on
results = IsolatedProcess(work_on).run(600, 600, int(sys.argv[1]))
print(int(next(results)), flush=True)
time.sleep(600)
"""
"""Tells the id of its child, which then works on."""


def take(size: int) -> Iterator[bytes]:
    yield b"%d" % len(bytes(size))


def test_what_takes_more_memory_than_it_may_ends_its_process_and_the_next_work_is_done() -> None:
    with closing(IsolatedProcess(take, 256 * MB)) as process:
        with pytest.raises(EOFError):
            list(process.run(512 * MB, 60, MB))
        assert list(process.run(64 * MB, 60, MB)) == [b"%d" % (64 * MB)]


def work_on(seconds: float) -> Iterator[bytes]:
    yield b"%d" % os.getpid()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    yield b"done"


def until_gone(pid: int) -> None:
    """Return when a process has ended; fails after a minute."""
    with suppress(psutil.NoSuchProcess):
        psutil.Process(pid).wait(60)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_the_process_ends_with_its_parent_however_that_ends(number: signal.Signals) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, "-c", PARENT, str(MB)], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.send_signal(number)
    until_gone(child)


def test_the_process_outlives_the_thread_that_started_it() -> None:
    with closing(IsolatedProcess(work_on, 256 * MB)) as process:
        with ThreadPoolExecutor(1) as threads:
            first = threads.submit(lambda: list(process.run(0, 60, MB))).result()
        assert list(process.run(0, 60, MB)) == first


@pytest.mark.slow
def test_the_process_has_a_clock_of_its_own() -> None:
    with closing(IsolatedProcess(work_on, 256 * MB)) as process:
        list(process.run(0, 60, MB))
        results = process.run(600, 2, MB)
        child = psutil.Process(int(next(results)))
        while child.status() != psutil.STATUS_ZOMBIE:  # it ends while nobody waits for its next result
            time.sleep(0.1)
        with pytest.raises(TimeoutError):
            next(results)


def niceness(_: int) -> Iterator[bytes]:
    yield b"%d" % os.getpriority(os.PRIO_PROCESS, 0)


def test_the_process_is_less_urgent_than_its_parent() -> None:
    with closing(IsolatedProcess(niceness)) as process:
        assert int(next(iter(process.run(0, 60, MB)))) > os.getpriority(os.PRIO_PROCESS, 0)
