"""Reads a model's text: fenced code is emitted line by line, unchanged, and judged as a whole.

Everything else is read as sentences. Lengths of fences and indents are CommonMark's. Works in memory, piece by piece.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from services.answer.writing.pieces import Piece, SentenceBegins, SentenceEnds, SentenceReader, Sign

_FENCE: Final = re.compile(r"\s{0,3}(?:`{3,}|~{3,})[^`\n]*")
_MAY_BE_FENCE: Final = re.compile(r"\s{0,3}(?:`{1,3}[^`\n]*|~{1,3}[^\n]*)?")


@dataclass(slots=True)
class TextReader:
    """Reads a text piece by piece and separates code from sentences."""

    language: str
    """Of the text, ISO 639-1."""
    _line: str = ""
    """The part of the current line that is not processed yet."""
    _at_start: bool = True
    """Whether `_line` starts at the beginning of a line."""
    _code: list[str] | None = None
    """The lines of the code in progress, beginning with its fence; None outside of code."""
    _sentences: SentenceReader = field(init=False)

    def __post_init__(self) -> None:
        """Begin with a sentence."""
        self._sentences = SentenceReader(self.language)

    def read(self, text: str) -> Iterator[Sign]:
        """Yield the signs for a further piece of the text."""
        self._line += text
        while (end := self._line.find("\n") + 1) > 0:
            line, self._line = self._line[:end], self._line[end:]
            yield from self._whole_line(line)
            self._at_start = True
        may_be_fence = self._at_start and _MAY_BE_FENCE.fullmatch(self._line)
        if self._line and self._code is None and not may_be_fence:
            yield from self._sentences.read(self._line)
            self._line, self._at_start = "", False

    def finish(self) -> Iterator[Sign]:
        """Yield the signs for the rest at the end of the text; code without a closing fence ends there."""
        if self._line:
            yield from self._whole_line(self._line)
            self._line = ""
        yield from self._end_of_code() if self._code is not None else self._sentences.finish()

    def _whole_line(self, line: str) -> Iterator[Sign]:
        is_fence = self._at_start and _FENCE.fullmatch(line.rstrip("\n")) is not None
        if self._code is not None and not line.strip().startswith(self._code[0][:3]):
            is_fence = False  # inside code, the other kind of fence is an ordinary line
        if self._code is None and not is_fence:
            yield from self._sentences.read(line)
        elif self._code is None:
            yield from self._sentences.finish()
            self._code = [line.strip()]
            yield SentenceBegins(True)
            yield Piece(line.strip())
        elif is_fence:
            yield from self._end_of_code()
        else:
            self._code.append(line.rstrip())
            yield Piece(f"\n{line.rstrip()}")

    def _end_of_code(self) -> Iterator[Sign]:
        assert self._code is not None
        fence = self._code[0][:1] * 3
        lines, self._code = [*self._code, fence], None
        yield Piece(f"\n{fence}")
        yield SentenceEnds("\n".join(lines), (), code=True)
        self._sentences = SentenceReader(self.language)
