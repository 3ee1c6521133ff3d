"""Work in another process that takes too much fails alone."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from libs.runtime.isolation import IsolatedProcess

MB = 1024**2


def take(size: int) -> Iterator[bytes]:
    yield b"%d" % len(bytes(size))


def test_what_takes_more_memory_than_it_may_ends_its_process_and_the_next_work_is_done() -> None:
    with closing(IsolatedProcess(take, 256 * MB)) as process:
        with pytest.raises(EOFError):
            list(process.run(512 * MB, 60, MB))
        assert list(process.run(64 * MB, 60, MB)) == [b"%d" % (64 * MB)]
