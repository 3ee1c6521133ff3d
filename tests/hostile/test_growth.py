"""No text takes more than linear time, but for a logarithm: CPU time at n and 4n characters.

This is the one place where a test looks at a clock: at the CPU time of its own thread. What seems too long is measured
again with other texts, and fails only if each of them takes too long.
"""

import time
from collections.abc import Callable
from math import log2
from typing import Final

import pytest

from tests.hostile.readers import Reader, composites, readers
from tests.hostile.texts import TEXTS, TextOfLength

LARGEST: Final = 8000
"""Characters of the longest text; a function whose texts are shorter gets the longest of those."""
SPARE: Final = 2.0
"""How much more than n log n is still accepted."""
NOISE_SECONDS: Final = 0.02
"""Times below this say nothing about growth."""
ATTEMPTS: Final = 3
CASES: Final = [pytest.param(longest, reader, id=name) for name, longest, reader in (*readers(), *composites())]


def growth(read: Callable[[str], object], text: TextOfLength, largest: int, attempt: int = 0) -> float:
    """CPU time at `largest` characters as a multiple of what n log n gives from a quarter of them; 0 if it is short."""
    quarter = _seconds(read, text, largest // 4 + attempt)
    whole = _seconds(read, text, largest + attempt)
    if whole < NOISE_SECONDS:
        return 0.0
    return whole / (max(quarter, NOISE_SECONDS / 8) * 4 * log2(largest) / log2(largest // 4))


def _seconds(read: Callable[[str], object], text: TextOfLength, length: int) -> float:
    content = text(length)
    start = time.thread_time()
    read(content)
    return time.thread_time() - start


def too_slow(read: Callable[[str], object], largest: int) -> dict[str, float]:
    """The hostile texts whose reading grows too fast, with their growth."""
    growths = {
        kind: min(growth(read, text, largest, attempt) for attempt in range(ATTEMPTS))
        for kind, text in TEXTS.items()
        if growth(read, text, largest) > SPARE
    }
    return {kind: round(value, 1) for kind, value in growths.items() if value > SPARE}


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


def test_quadratic_work_is_noticed() -> None:
    def read(text: str) -> None:
        for end in range(len(text)):
            text[:end].count("\0")

    assert growth(read, TEXTS["a letter"], 80_000) > SPARE


def test_linear_work_is_accepted() -> None:
    assert growth(lambda text: [character.upper() for character in text], TEXTS["a letter"], 400_000) <= SPARE


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("longest", "reader"), CASES)
def test_reading_grows_with_the_text(longest: int, reader: Reader) -> None:
    assert too_slow(reader, min(longest, LARGEST)) == {}
