"""Detects the model's report that its passages hold no answer: a mark at the beginning, instead of a text."""

from dataclasses import dataclass
from typing import Final

MARK: Final = "NO ANSWER"
"""As the prompt requests it."""
_AROUND: Final = " \t\n*_`\"'“”‘’([<#-"
"""Characters that models put before it."""


@dataclass(slots=True)
class NoAnswerDetector:
    """Holds back the first words until it is known whether they are the mark."""

    is_mark: bool = False
    _buffer: str | None = ""
    """None once that is known."""

    def read(self, text: str) -> str:
        """Return the part of a further piece that may be read: nothing while the mark is possible, or after it."""
        if self._buffer is None:
            return "" if self.is_mark else text
        self._buffer += text
        words = self._buffer.lstrip(_AROUND)
        if len(words) < len(MARK) and MARK.startswith(words):
            return ""
        return self.finish()

    def finish(self) -> str:
        """Return the text held back, at the end of the text or once it cannot be the mark."""
        buffer, self._buffer = self._buffer or "", None
        self.is_mark = self.is_mark or buffer.lstrip(_AROUND).startswith(MARK)
        return "" if self.is_mark else buffer
