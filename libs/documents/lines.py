"""The lines of a text with their places, and what stands together between blank ones."""

from dataclasses import dataclass

from libs.contracts.spans import Span


@dataclass(frozen=True, slots=True)
class Lines:
    """A text by lines; a line ends with "\\n", which is none of its characters."""

    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "Lines":
        """The lines of a text."""
        starts = [0]
        position = text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = text.find("\n", position + 1)
        return cls(text, tuple(starts))

    def __len__(self) -> int:
        return len(self.starts)

    def start(self, line: int) -> int:
        """Where a line begins; the text's end for a line behind the last."""
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def span(self, first: int, last: int) -> Span:
        """Lines [first, last) without white space around them; empty where there is nothing else."""
        start, end = self.start(first), self.start(last)
        stretch = self.text[start:end]
        stripped = stretch.strip()
        if not stripped:
            return Span(start, start)
        lead = len(stretch) - len(stretch.lstrip("\n\r"))
        begin = start + lead
        if not self.text[begin:].startswith((" ", "\t")):
            return Span(begin, begin + len(stretch[lead:].rstrip()))
        return Span(begin, start + len(stretch.rstrip()))


@dataclass(frozen=True, slots=True)
class Group:
    """Lines [first, last) between blank lines."""

    first: int
    last: int
    blanks: int
    """Blank lines before it."""
    lines: tuple[str, ...]
    level: int = 0
    """Of the heading that it is by the rule below it; 0 where there is none."""

    @property
    def indent(self) -> int:
        """Of the line that is indented least."""
        return min(len(line) - len(line.lstrip()) for line in self.lines)
