"""Caches results of functions of short texts: many callers process the same sentences and passages.

Longer texts, such as documents, are not cached.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

_More = ParamSpec("_More")
_Read = TypeVar("_Read")
_Reader = Callable[Concatenate[str, _More], _Read]


def memoized(texts: int, longest: int) -> Callable[[_Reader[_More, _Read]], _Reader[_More, _Read]]:
    """Return a caching decorator for a pure function of a text; other arguments must be hashable.

    Args:
        texts: size of the LRU cache.
        longest: maximum length in characters of a cached text.
    """

    def decorate(read: _Reader[_More, _Read]) -> _Reader[_More, _Read]:
        cached = lru_cache(maxsize=texts)(read)

        @wraps(read)
        def memoizing(text: str, /, *more: _More.args, **named: _More.kwargs) -> _Read:
            return (cached if len(text) <= longest else read)(text, *more, **named)

        return memoizing

    return decorate
