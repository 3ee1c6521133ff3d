"""What a reasoning model thinks before it answers is no part of the answer.

Most servers put it into a field of its own (`reasoning_content`, `reasoning`), which nobody reads here. Others leave it
at the beginning of the answer, between `<think>` and `</think>`.
"""

from dataclasses import dataclass
from typing import Final

OPENING: Final = "<think>"
CLOSING: Final = "</think>"


@dataclass(slots=True)
class ThoughtFilter:
    """Takes the thoughts out of a text that comes in pieces, wherever the pieces are cut.

    Text is held back only while it may still become an opening tag: blanks, and the first letters of the tag.
    """

    _held: str = ""
    """Not yet decided."""
    _thinks: bool = False
    _thought: bool = False
    """Before; the blanks after a thought belong to it."""
    _answers: bool = False

    def feed(self, piece: str) -> str:
        """What of the text so far can be shown now; empty while it thinks."""
        if self._answers:
            return piece
        self._held += piece
        while not self._answers and self._step():
            pass
        return self._taken() if self._answers else ""

    def finish(self) -> str:
        """What was held back at the end of the text: nothing that is a thought, even if that was never closed."""
        return "" if self._thinks else self._taken()

    def _step(self) -> bool:
        """Take one tag off what is held; False where more is needed to go on, or nothing more is to be taken off."""
        if self._thinks:
            return self._closed()
        begins = self._held.lstrip()
        if begins.startswith(OPENING):
            self._thinks = self._thought = True
            self._held = begins[len(OPENING) :]
            return True
        self._held = begins if self._thought else self._held
        self._answers = not OPENING.startswith(begins)
        return False

    def _closed(self) -> bool:
        _, closed, after = self._held.partition(CLOSING)
        self._thinks = not closed
        # The tag may be cut: as much is kept as could be its beginning.
        self._held = after if closed else self._held[-len(CLOSING) + 1 :]
        return bool(closed)

    def _taken(self) -> str:
        taken, self._held = self._held, ""
        return taken


def without_thoughts(text: str) -> str:
    """A whole answer without the thoughts at its beginning."""
    thoughts = ThoughtFilter()
    return thoughts.feed(text) + thoughts.finish()
