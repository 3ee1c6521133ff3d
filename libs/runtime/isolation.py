"""Work in another process, which may hang, crash or exhaust memory without harm to this one.

Files are a stranger's, and so are their libraries' faults: what reads them runs in a child process with limits on time,
memory and output, which is reused as long as all goes well. It ends with its parent, however that ends, and has a clock
of its own: the system keeps both, whatever a library does. (PR_SET_PDEATHSIG would end it with the parent's thread.)
"""

import fcntl
import multiprocessing
import os
import resource
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

MEMORY: Final = 4 * 1024**3
"""Bytes that the child may use beside what it has at its start: four times what a file may unpack to (taste)."""
NICENESS: Final = 19
"""How much less urgent the child is than its parent: questions do not wait for files, and stages have 10."""
END_SECONDS: Final = 5.0  # for the child to end by itself (taste)
_END: Final = b""  # follows the last result

Request = TypeVar("Request")


class IsolatedProcess(Generic[Request]):
    """Does one piece of work after another; close it. The child is started when it is first needed."""

    def __init__(self, work: Callable[[Request], Iterable[bytes]], memory: int = MEMORY) -> None:
        """Take a function of a module, whose results for a request are never empty."""
        self._work = work
        self._memory = memory
        self._child: BaseProcess | None = None
        self._pipe: Connection | None = None

    def run(self, request: Request, seconds: float, result_bytes: int) -> Iterator[bytes]:
        """Yield the results for a request, each of at most so many bytes; blocks until the child has each.

        Raises:
            TimeoutError: a result takes longer; the child is killed, as always when something is raised.
            EOFError, OSError: the child died, or gave a larger result.
        """
        is_done = False
        try:
            pipe = self._start()
            pipe.send((request, seconds))
            while not is_done:
                if not pipe.poll(seconds):
                    raise TimeoutError
                result = self._received(pipe, result_bytes)
                is_done = result == _END
                if not is_done:
                    yield result
        finally:
            if not is_done:
                self.close()

    def _received(self, pipe: Connection, result_bytes: int) -> bytes:
        try:
            return pipe.recv_bytes(result_bytes)
        except EOFError:
            if (child := self._child) is not None:
                child.join(END_SECONDS)
                if child.exitcode == -signal.SIGALRM:
                    raise TimeoutError from None
            raise

    def interrupt(self) -> None:
        """Kill the child, from any thread; what another thread waits for fails at once."""
        if (child := self._child) is not None:
            child.kill()

    def _start(self) -> Connection:
        if self._pipe is None:
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._child = context.Process(target=_serve, args=(theirs, self._work, self._memory), daemon=True)
            resource_tracker.ensure_running()  # its start would unblock the signal
            unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            self._child.start()  # it inherits the mask: an interrupt is meant for the parent
            signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
            theirs.close()
        return self._pipe

    def close(self) -> None:
        """End the child; the next work starts another one."""
        if self._pipe is not None:
            self._pipe.close()
        if self._child is not None:
            self._child.kill()
            self._child.join(END_SECONDS)
        self._pipe = self._child = None


def _serve(pipe: Connection, work: Callable[[Any], Iterable[bytes]], memory: int) -> None:
    """Do what is asked, until the pipe is closed."""
    os.nice(NICENESS)
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = memory + address_space()
    resource.setrlimit(resource.RLIMIT_AS, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _end_with_parent()
    with suppress(EOFError, OSError):  # the parent has ended
        while True:
            request, seconds = pipe.recv()
            signal.setitimer(signal.ITIMER_REAL, seconds + END_SECONDS)  # SIGALRM ends this process
            for result in work(request):
                signal.setitimer(signal.ITIMER_REAL, 0)  # the parent may be slow to take it
                pipe.send_bytes(result)
                signal.setitimer(signal.ITIMER_REAL, seconds + END_SECONDS)
            signal.setitimer(signal.ITIMER_REAL, 0)
            pipe.send_bytes(_END)


def _end_with_parent() -> None:
    """Have SIGIO end this process when the parent's end of a pipe, which nobody else has, is closed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, os.O_ASYNC)
    if wait([parent.sentinel], 0):  # it was closed before
        os._exit(1)


def address_space() -> int:
    """Bytes of address space that this process has, some for each core; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0
