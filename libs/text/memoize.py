"""Remembers what was read from short texts of late: a sentence or passage is met again by whoever compares it.

A document is not, and would only be kept in memory.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

_More = ParamSpec("_More")
_Read = TypeVar("_Read")
_Reader = Callable[Concatenate[str, _More], _Read]


def memoized(texts: int, longest: int) -> Callable[[_Reader[_More, _Read]], _Reader[_More, _Read]]:
    """Decorates a function of a text that gives the same for the same, with hashable arguments.

    Args:
        texts: how many of the last are remembered.
        longest: characters of such a text at most; longer ones are read each time.
    """

    def remembering(read: _Reader[_More, _Read]) -> _Reader[_More, _Read]:
        of_late = lru_cache(maxsize=texts)(read)

        @wraps(read)
        def reading(text: str, /, *more: _More.args, **named: _More.kwargs) -> _Read:
            return (of_late if len(text) <= longest else read)(text, *more, **named)

        return reading

    return remembering
