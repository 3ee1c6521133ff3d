"""The lines of a text with their offsets, and groups of lines between blank lines. Plain values; nothing is raised."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.structure import Part

PROMPT: Final = re.compile(
    r"\s*(?:(?:[$%]|>>>|\w[\w.-]{0,30}@[\w.-]{1,60}[^$#%\n]{0,80}[$#%])[ ]\S|(?:PS )?[A-Z]:\\[^>\n]{0,80}>)"
)
"""The beginning of a line typed at a console: `$ ls`, `ann@host:~# ls`, `>>> x`."""


@dataclass(frozen=True, slots=True)
class Lines:
    """A text by lines; the "\\n" that ends a line is not part of it."""

    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "Lines":
        """The lines of a text."""
        return cls(text, (0, *(line_end.end() for line_end in re.finditer("\n", text))))

    def __len__(self) -> int:
        return len(self.starts)

    def start(self, line: int) -> int:
        """The start offset of a line; the text's length for a line after the last."""
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def span(self, first: int, last: int) -> Span:
        """The span of lines [first, last) without surrounding blank space; empty for blank lines."""
        start = self.start(first)
        stretch = self.text[start : self.start(last)]
        if not stretch.strip():
            return Span(start, start)
        return Span(start + len(stretch) - len(stretch.lstrip("\n\r")), start + len(stretch.rstrip()))

    def parts(self, starts: Sequence[tuple[int, int]], within: Span) -> Iterator[Part]:
        """The parts of a block that begin at these offsets, with their depths; each ends where the next one begins."""
        for (start, depth), following in zip(starts, [*starts[1:], None], strict=True):
            start = max(start, within.start)
            stretch = self.text[start : min(following[0], within.end) if following else within.end].rstrip()
            if stretch:
                yield Part(Span(start, start + len(stretch)), depth)


@dataclass(frozen=True, slots=True)
class Group:
    """Lines [first, last) between blank lines."""

    first: int
    last: int
    blanks: int
    """Blank lines before it."""
    lines: tuple[str, ...]
    level: int = 0
    """Heading level, if the group is a heading underlined by a rule; else 0."""

    @property
    def indent(self) -> int:
        """Indentation of the least indented line."""
        return min(len(line) - len(line.lstrip()) for line in self.lines)
