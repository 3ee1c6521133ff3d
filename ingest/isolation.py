"""Reading in another process: whatever its format, a file is a stranger's.

A file that takes too long, or whose reader dies, fails with a reason, and the next one gets a fresh child.
"""

import pickle
from collections.abc import Iterator

from ingest.content import Content
from ingest.documents import ReadResult, Unreadable
from ingest.readers import read
from libs.runtime.isolation import IsolatedProcess


class IsolatedReader(IsolatedProcess[Content]):
    """Reads one content after another; close it. The child is started when it is first needed."""

    def __init__(self) -> None:
        super().__init__(_read)

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield the documents of a content, as `readers.read` does; blocks until the child has each."""
        bounds = content.bounds
        try:
            yield from map(pickle.loads, self.run(content, bounds.seconds, bounds.result_bytes))
        except TimeoutError:
            yield Unreadable(content.where, f"takes longer than {bounds.seconds:g} seconds to read")
        except (EOFError, OSError):
            yield Unreadable(content.where, "crashed its reader: it is damaged or too large")


def _read(content: Content) -> Iterator[bytes]:
    """Yield what is read, as the child hands it over."""
    for result in read(content):
        yield _handed_over(result, content)


def _handed_over(result: ReadResult, content: Content) -> bytes:
    data = pickle.dumps(result)
    most = content.bounds.result_bytes
    if len(data) <= most:
        return data
    return pickle.dumps(Unreadable(content.where, f"gives a document of more than {most:,} bytes"))
