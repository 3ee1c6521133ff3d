"""Questions that the user may ask next, which a language model writes below its answer: a line each, behind a mark."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MARK: Final = "NEXT:"
"""As the prompt asks for it."""
LONGEST: Final = 200
"""Characters of a question; a longer one is none that somebody would ask."""
_AROUND: Final = r"[ \t>*_#•\-\d.)]{0,8}"
"""What models put before it."""
_BEGUN: Final = re.compile(rf"^{_AROUND}{MARK}", re.MULTILINE)
_MAY_BEGIN: Final = re.compile(rf"{_AROUND}(?:N(?:E(?:X(?:T)?)?)?)?\Z")
_QUESTION_MARKS: Final = ("?", "？", "؟")


@dataclass(slots=True)
class NextQuestions:
    """Takes them off a text that comes in pieces; the beginning of a line is held back while it may be the mark."""

    wanted: int
    """How many were asked for; with 0 the text is left as it is."""
    _held: str = ""
    _in_line: bool = False
    """Whether something of the line that is held was shown."""
    _below: str | None = None
    """From the first mark on."""

    @property
    def has_begun(self) -> bool:
        """Whether the answer is over."""
        return self._below is not None

    def read(self, text: str) -> str:
        """What of a further piece belongs to the answer, as far as that is known."""
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
        """What was held back, at the end of the text."""
        held, self._held = self._held, ""
        return "" if self.has_begun else held

    def questions(self) -> tuple[str, ...]:
        """They, each once, at most as many as were asked for."""
        found = dict.fromkeys(_questions_in(self._below or ""))
        return tuple(found)[: self.wanted]

    def _shown(self, line: int) -> str:
        """What is held, but for its last line, which begins at `line`, where that may become the mark."""
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
