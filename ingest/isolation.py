"""Reading in another process, which may hang, crash or exhaust memory without harm to the ingest.

Files are a stranger's, and so are their libraries' faults: whatever its format, a file is read in a child process with
limits on time, memory and output, which is reused as long as all goes well. A file that takes too long, or whose reader
dies, fails with a reason, and the next one gets a fresh child.
"""

import multiprocessing
import pickle
import resource
import signal
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Final, Self

from ingest.content import Content
from ingest.documents import ReadResult, Unreadable
from ingest.readers import read

MEMORY: Final = 4 * 1024**3
"""Address space of the child, in bytes: four times what a file may unpack to (taste)."""
END_SECONDS: Final = 5.0  # for the child to end by itself (taste)


class IsolatedReader:
    """Reads one content after another. A context manager; the child is started when it is first needed."""

    def __init__(self) -> None:
        self._child: BaseProcess | None = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield the documents of a content, as `readers.read` does; blocks until the child has each."""
        is_done = False
        try:
            pipe = self._start()
            pipe.send(content)
            while not is_done:
                if not pipe.poll(content.bounds.seconds):
                    yield Unreadable(content.where, f"takes longer than {content.bounds.seconds:g} seconds to read")
                    return
                result = pickle.loads(pipe.recv_bytes(content.bounds.result_bytes))
                is_done = result is None
                if result is not None:
                    yield result
        except (EOFError, OSError):
            yield Unreadable(content.where, "crashed its reader: it is damaged or too large")
        finally:
            if not is_done:
                self.close()

    def interrupt(self) -> None:
        """Kill the child, from any thread; what another thread reads fails at once."""
        if (child := self._child) is not None:
            child.kill()

    def _start(self) -> Connection:
        if self._pipe is None:
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._child = context.Process(target=_serve, args=(theirs,), daemon=True)
            resource_tracker.ensure_running()  # its start would unblock the signal
            unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            self._child.start()  # it inherits the mask: an interrupt is meant for the parent
            signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
            theirs.close()
        return self._pipe

    def close(self) -> None:
        """End the child; reading starts another one."""
        if self._pipe is not None:
            self._pipe.close()
        if self._child is not None:
            self._child.kill()
            self._child.join(END_SECONDS)
        self._pipe = self._child = None


def _serve(pipe: Connection) -> None:
    """Read the contents that arrive, until the pipe is closed."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most), most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(EOFError, OSError):  # the parent has ended
        while True:
            content = pipe.recv()
            for result in read(content):
                pipe.send_bytes(_handed_over(result, content))
            pipe.send_bytes(pickle.dumps(None))


def _handed_over(result: ReadResult, content: Content) -> bytes:
    data = pickle.dumps(result)
    most = content.bounds.result_bytes
    if len(data) <= most:
        return data
    return pickle.dumps(Unreadable(content.where, f"gives a document of more than {most:,} bytes"))
