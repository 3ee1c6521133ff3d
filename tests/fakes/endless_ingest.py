"""A process that takes documents in until it is killed: prints each acknowledged id, while its engines follow.

Run as `python -m tests.fakes.endless_ingest FOLDER FIRST`.
"""

import sys
import threading
from collections import deque
from concurrent.futures import Future
from pathlib import Path

from libs.runtime.errors import ParleyError
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document, IngestStatus
from services.retrieve.engines.collection import Engines
from tests.fakes.stored_documents import PREPARATION, embedded

UNDER_WAY = 64


def main(folder: Path, first: int) -> None:
    """Documents `d<first>`, `d<first + 1>`, … without end."""
    with Corpus.open(folder) as corpus:
        engines = Engines(corpus, folder / "engines")
        threading.Thread(target=_follow, args=(engines,), daemon=True).start()
        waiting: deque[tuple[str, Future[list[IngestStatus | ParleyError]]]] = deque()
        number = first
        while True:
            waiting.append((f"d{number}", _put(corpus, f"d{number}")))
            number += 1
            if len(waiting) > UNDER_WAY:
                name, write = waiting.popleft()
                write.result()
                print(name, flush=True)  # noqa: T201 - the acknowledgement


def _put(corpus: Corpus, name: str) -> "Future[list[IngestStatus | ParleyError]]":
    prepared_document = PREPARATION.prepare(Document(name, f"This is what we know of the moon, by {name}. " * 40))
    return corpus.put("default", embedded([prepared_document]))


def _follow(engines: Engines) -> None:
    while True:
        engines.catch_up()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
