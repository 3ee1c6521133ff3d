"""A name in a question that may stand for a longer one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShortName:
    """`text == question[start:end]`."""

    text: str
    start: int
    end: int
