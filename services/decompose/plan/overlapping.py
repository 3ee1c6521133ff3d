"""Matches of a pattern that may overlap."""

import re
from collections.abc import Iterator


def overlapping_matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the match at each position where the pattern matches, the first position first."""
    match = pattern.search(text)
    while match:
        yield match
        match = pattern.search(text, match.start() + 1)
