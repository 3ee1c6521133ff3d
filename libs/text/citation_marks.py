"""Citation marks such as `[2]` in an answer's CommonMark, and what only looks like one. Pure functions.

In code, and behind a backslash, brackets are the document's own. Takes time linear in the text.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_MARK: Final = re.compile(r"(?<!\\)\[(\d{1,3})\](?!\()")  # an answer has 150 references at most
_LOOKALIKE: Final = re.compile(r"(?<!\\)\[(?=\d{1,3}\](?!\())")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_TICKS: Final = re.compile(r"`+")


@dataclass(frozen=True, slots=True)
class CitationMark:
    """A mark: its place in the text, and its number."""

    start: int
    end: int
    number: int


def citation_marks(text: str) -> Iterator[CitationMark]:
    """Yield the citation marks of an answer, in order."""
    code = list(code_spans(text))
    position = 0
    for match in _MARK.finditer(text):
        while position < len(code) and code[position][1] <= match.start():
            position += 1
        if position == len(code) or match.start() < code[position][0]:
            yield CitationMark(match.start(), match.end(), int(match[1]))


def escape_lookalikes(text: str) -> str:
    """Return CommonMark without code in which numbers in brackets are no citation marks."""
    return _LOOKALIKE.sub(r"\\[", text)


def code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of fenced code, and of code within a line."""
    start = opening = 0
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
                yield opening, start + len(line)
        elif mark:
            fence, opening = mark[1], start
        else:
            yield from _within_line(line, start)
        start += len(line)
    if fence:
        yield opening, len(text)


def _within_line(line: str, offset: int) -> Iterator[tuple[int, int]]:
    """Code between two equal runs of backticks."""
    later, end = defaultdict[str, deque[int]](deque), 0
    for run in _TICKS.finditer(line):
        later[run[0]].append(run.end())
    for run in _TICKS.finditer(line):
        later[run[0]].popleft()
        if run.start() >= end and later[run[0]]:
            end = later[run[0]][0]
            yield offset + run.start(), offset + end
