"""Caches results of functions of short texts: many callers process the same sentences and passages.

Longer texts, such as documents, are not cached.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from libs.runtime.threads import raise_if_cancelled

_More = ParamSpec("_More")
_Result = TypeVar("_Result")
_Reader = Callable[Concatenate[str, _More], _Result]


def memoized(texts: int, longest: int) -> Callable[[_Reader[_More, _Result]], _Reader[_More, _Result]]:
    """Return a caching decorator for a pure function of a text; other arguments must be hashable.

    Such functions are called for each text that the rules compare, so this is where cancelled work stops
    (WorkCancelled). Caches are shared by all threads of the process.

    Args:
        texts: size of the LRU cache.
        longest: maximum length in characters of a cached text.
    """

    def decorate(read: _Reader[_More, _Result]) -> _Reader[_More, _Result]:
        cached_function = lru_cache(maxsize=texts)(read)

        @wraps(read)
        def memoizing(text: str, /, *arguments: _More.args, **keywords: _More.kwargs) -> _Result:
            raise_if_cancelled()
            return (cached_function if len(text) <= longest else read)(text, *arguments, **keywords)

        return memoizing

    return decorate
