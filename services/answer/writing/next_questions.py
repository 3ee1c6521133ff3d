"""Extracts the follow-up questions that a language model writes below its answer, one per line after a mark."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MARK: Final = "NEXT:"
"""As the prompt requests it."""
LONGEST: Final = 200
"""Characters of a question; longer ones are dropped."""
_AROUND: Final = r"[ \t>*_#•\-\d.)]{0,8}"
"""Characters that models put before it."""
_BEGUN: Final = re.compile(rf"^{_AROUND}{MARK}", re.MULTILINE)
_MAY_BEGIN: Final = re.compile(rf"{_AROUND}(?:N(?:E(?:X(?:T)?)?)?)?\Z")
_QUESTION_MARKS: Final = ("?", "？", "؟")


@dataclass(slots=True)
class NextQuestions:
    """Removes the questions from streamed text; the beginning of a line is held back while it may be the mark."""

    wanted: int
    """The number of questions requested; with 0 the text is not changed."""
    _held: str = ""
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
        if not self.wanted:
            return text
        if self._below is not None:
            self._below += text
            return ""
        self._held += text
        first = self._held.find("\n") + 1 if self._in_line else 0
        begun = _BEGUN.search(self._held, first) if first or not self._in_line else None
        if begun is not None:
            self._below = self._held[begun.start() :]
            return self._held[: begun.start()]
        return self._shown(self._held.rfind("\n") + 1)

    def finish(self) -> str:
        """Return the text held back, at the end of the text."""
        held, self._held = self._held, ""
        return "" if self.has_begun else held

    def questions(self) -> tuple[str, ...]:
        """Return the distinct questions, at most as many as requested."""
        found = dict.fromkeys(_questions_in(self._below or ""))
        return tuple(found)[: self.wanted]

    def _shown(self, line: int) -> str:
        """The held text, without its last line (from `line` on) if that may become the mark."""
        held = self._held
        may_begin = (line or not self._in_line) and _MAY_BEGIN.match(held, line) is not None
        end = line if may_begin else len(held)
        self._held = held[end:]
        self._in_line = not may_begin and not held.endswith("\n") if held else self._in_line
        return held[:end]


def _questions_in(text: str) -> Iterator[str]:
    for line in text.replace(MARK, "\n").splitlines():
        question = line.strip(' \t>*_#•-"“”')
        if question.endswith(_QUESTION_MARKS) and len(question) <= LONGEST:
            yield question
