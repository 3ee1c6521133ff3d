"""Measures text by its visible characters."""

import re
from bisect import bisect_left
from typing import Final

_UNSEEN: Final = re.compile(
    r"(?<=\])\(<?(?:https?|mailto):[^()\s]{1,2000}>?\)|(?<=[ \t])[ \t]+|(?<=\n)[ \t\n]+|(?<=---)-+"
)


class VisibleLengths:
    """Measures the visible length of a text: link addresses and repeated white space do not count."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._sums: list[int] = [0]
        for match in _UNSEEN.finditer(text):
            self._starts.append(match.start())
            self._sums.append(self._sums[-1] + match.end() - match.start())

    def length(self, start: int, end: int) -> int:
        """Visible characters of a span; if it begins within an address, the rest of the address counts."""
        hidden = self._sums[bisect_left(self._starts, end)] - self._sums[bisect_left(self._starts, start)]
        return max(0, end - start - hidden)
