"""How long a stretch of text is for those who read it."""

import re
from bisect import bisect_left
from typing import Final

_UNSEEN: Final = re.compile(
    r"(?<=\])\(<?(?:https?|mailto):[^()\s]{1,2000}>?\)|(?<=[ \t])[ \t]+|(?<=\n)[ \t\n]+|(?<=---)-+"
)


class Ruler:
    """Measures what people see of a text: addresses of links, and white space beyond a space, take no room."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._sums: list[int] = [0]
        for found in _UNSEEN.finditer(text):
            self._starts.append(found.start())
            self._sums.append(self._sums[-1] + found.end() - found.start())

    def length(self, start: int, end: int) -> int:
        """Characters that are seen of a stretch; one that begins within an address counts the rest of it."""
        hidden = self._sums[bisect_left(self._starts, end)] - self._sums[bisect_left(self._starts, start)]
        return max(0, end - start - hidden)
