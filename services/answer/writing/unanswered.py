"""The writer's word that its passages hold no answer: a mark at the beginning of what it writes, in place of a text."""

from dataclasses import dataclass
from typing import Final

MARK: Final = "NO ANSWER"
"""As the prompt asks for it."""
_AROUND: Final = " \t\n*_`\"'“”‘’([<#-"
"""What models put before it."""


@dataclass(slots=True)
class Opening:
    """Holds the first words back until it is known whether they are the mark."""

    is_mark: bool = False
    _held: str | None = ""
    """None once that is known."""

    def read(self, text: str) -> str:
        """What may be read on of a further piece: nothing while the mark may still come, nor after it."""
        if self._held is None:
            return "" if self.is_mark else text
        self._held += text
        said = self._held.lstrip(_AROUND)
        if len(said) < len(MARK) and MARK.startswith(said):
            return ""
        return self.finish()

    def finish(self) -> str:
        """What was held back, at the end of the text or when it is known to be none of the mark."""
        held, self._held = self._held or "", None
        self.is_mark = self.is_mark or held.lstrip(_AROUND).startswith(MARK)
        return "" if self.is_mark else held
