"""No text takes more than linear time, but for a logarithm: CPU time at n and 4n characters.

This is the one place where a test looks at a clock: at the CPU time of its own thread. What seems too long is measured
again with other texts, and fails only if each of them takes too long.
"""

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from math import log2
from typing import Final

import pytest

from services.retrieve.corpus.documents import Document
from services.retrieve.indexing.preparing import Preparation
from tests.hostile.readers import Reader, composites, readers
from tests.hostile.texts import TEXTS, TextOfLength

LARGEST: Final = 8000
"""Characters of the longest text; a function whose texts are shorter gets the longest of those."""
MEGABYTE: Final = 1_000_000
"""Characters of a large document; the contract takes up to 4 MB."""
SPARE: Final = 2.0
"""How much more than n log n is still accepted."""
NOISE_SECONDS: Final = 0.02
"""Times below this say nothing about growth."""
ATTEMPTS: Final = 5
CASES: Final = [
    pytest.param(longest, reader, number * ATTEMPTS, id=name)
    for number, (name, longest, reader) in enumerate((*readers(), *composites()), start=1)
]


def growth(read: Callable[[str], object], text: TextOfLength, largest: int, salt: int = 0) -> float:
    """CPU time of a long text as a multiple of what n log n gives from a quarter of it; 0 if it is short.

    Args:
        read: what is measured.
        text: the kind of text.
        largest: characters of the long text, but for those that make it another one.
        salt: makes the texts unlike those of other salts, which caches may hold.
    """
    fewer = salt % (largest // 8)
    quarter, whole = (_seconds(read, text(length - fewer)) for length in (largest // 4, largest))
    if whole < NOISE_SECONDS:
        return 0.0
    return whole / (max(quarter, NOISE_SECONDS / 8) * 4 * log2(largest) / log2(largest // 4))


def _seconds(read: Callable[[str], object], text: str) -> float:
    # A collection's cost depends on what earlier tests left in memory: a long text meets more of them.
    gc.disable()
    try:
        start = time.thread_time()
        read(text)
        return time.thread_time() - start
    finally:
        gc.enable()


def too_slow(
    read: Callable[[str], object], largest: int, salt: int, kinds: Mapping[str, TextOfLength] = TEXTS
) -> dict[str, float]:
    """The hostile texts whose reading grows too fast in each attempt, with their least growth."""
    growths = {}
    for kind, text in kinds.items():
        attempts = (growth(read, text, largest, salt + attempt) for attempt in range(ATTEMPTS))
        beyond = list(takewhile(lambda value: value > SPARE, attempts))
        if len(beyond) == ATTEMPTS:
            growths[kind] = round(min(beyond), 1)
    return growths


def test_the_readers_of_every_room_are_measured() -> None:
    names = [name for name, _, _ in readers()]
    assert {name.rsplit(".", 1)[0].split(".")[1] for name in names} >= {
        "text",
        "language",
        "chronology",
        "documents",
        "answer",
        "decompose",
        "intent",
        "timeline",
    }


@dataclass
class WorkClock:
    """Stands in for the CPU time of a thread, so that the load of the machine changes no test of the measure."""

    seconds: float = 0.0

    def __call__(self) -> float:
        """Seconds worked so far."""
        return self.seconds

    def work(self, steps: float) -> None:
        """Take a microsecond for each step."""
        self.seconds += steps / 1e6


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> WorkClock:
    clock = WorkClock()
    monkeypatch.setattr(time, "thread_time", clock)
    return clock


def test_quadratic_work_is_noticed_behind_a_cache(clock: WorkClock) -> None:
    read = lru_cache(lambda text: clock.work(len(text) ** 2))
    kinds = {"a letter": TEXTS["a letter"], "spaces": TEXTS["spaces"]}
    assert too_slow(read, 40_000, salt=3, kinds=kinds).keys() == kinds.keys()


def test_work_of_n_log_n_is_accepted(clock: WorkClock) -> None:
    assert growth(lambda text: clock.work(len(text) * log2(len(text))), TEXTS["a letter"], 400_000) <= SPARE


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("longest", "reader", "salt"), CASES)
def test_reading_grows_with_the_text(longest: int, reader: Reader, salt: int) -> None:
    assert too_slow(reader, min(longest, LARGEST), salt) == {}


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", TEXTS)
def test_cutting_a_document_of_a_megabyte_grows_with_it(kind: str) -> None:
    preparation = Preparation(language="en")

    def cut(text: str) -> object:
        return preparation.texts(preparation.prepare(Document("a", text)))

    assert too_slow(cut, MEGABYTE, 0, {kind: TEXTS[kind]}) == {}
