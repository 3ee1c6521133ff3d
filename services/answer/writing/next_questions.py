"""Extracts the follow-up questions that a language model writes below its answer, one per line after a mark. No I/O."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MARK: Final = "NEXT:"
"""As the prompt requests it."""
LONGEST: Final = 200
"""Characters of a question; longer ones are dropped (taste)."""
_AROUND: Final = r"[ \t>*_#•\-\d.)]{0,8}"
"""Characters that models put before it, eight at most (taste)."""
_BEGUN: Final = re.compile(rf"^{_AROUND}{MARK}", re.MULTILINE)
_MAY_BEGIN: Final = re.compile(rf"{_AROUND}(?:N(?:E(?:X(?:T)?)?)?)?\Z")
_QUESTION_MARKS: Final = ("?", "？", "؟")


@dataclass(slots=True)
class NextQuestions:
    """Removes the questions from streamed text; the beginning of a line is held back while it may be the mark."""

    count: int
    """The number of questions requested; with 0 the text is not changed."""
    _buffer: str = ""
    _in_line: bool = False
    """Whether part of the current line was emitted."""
    _below: str | None = None
    """The text from the first mark on."""

    @property
    def has_begun(self) -> bool:
        """Whether the answer is over."""
        return self._below is not None

    def read(self, text: str) -> str:
        """Return the part of a further piece that is known to belong to the answer."""
        if not self.count:
            return text
        if self._below is not None:
            self._below += text
            return ""
        self._buffer += text
        first = self._buffer.find("\n") + 1 if self._in_line else 0
        match = _BEGUN.search(self._buffer, first) if first or not self._in_line else None
        if match is not None:
            self._below = self._buffer[match.start() :]
            return self._buffer[: match.start()]
        return self._release(self._buffer.rfind("\n") + 1)

    def finish(self) -> str:
        """Return the text held back, at the end of the text."""
        buffer, self._buffer = self._buffer, ""
        return "" if self.has_begun else buffer

    def questions(self) -> tuple[str, ...]:
        """Return the distinct questions, at most as many as requested."""
        distinct = dict.fromkeys(_questions_in(self._below or ""))
        return tuple(distinct)[: self.count]

    def _release(self, line: int) -> str:
        """The held text, without its last line (from `line` on) if that may become the mark."""
        buffer = self._buffer
        may_begin = (line or not self._in_line) and _MAY_BEGIN.match(buffer, line) is not None
        end = line if may_begin else len(buffer)
        self._buffer = buffer[end:]
        self._in_line = not may_begin and not buffer.endswith("\n") if buffer else self._in_line
        return buffer[:end]


def _questions_in(text: str) -> Iterator[str]:
    for line in text.replace(MARK, "\n").splitlines():
        question = line.strip(' \t>*_#•-"“”')
        if question.endswith(_QUESTION_MARKS) and len(question) <= LONGEST:
            yield question
