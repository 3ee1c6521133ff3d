"""A clock that a test sets."""

from dataclasses import dataclass


@dataclass
class Clock:
    """Tells `now` in seconds wherever the code asks a clock."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now
