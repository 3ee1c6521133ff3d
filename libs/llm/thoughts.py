"""What a reasoning model thinks before it answers is no part of the answer.

Most servers put it into a field of its own (`reasoning_content`, `reasoning`), which nobody reads here. Others leave it
at the beginning of the answer, between `<think>` and `</think>`; and where the model's template has already opened the
thought in the prompt (DeepSeek-R1), only the closing tag comes. That such a text begins inside a thought can't be seen
before that tag: it has to be known, or is found out too late for what was given out by then.
"""

import re
from dataclasses import dataclass
from typing import Final

OPENING: Final = "<think>"
CLOSING: Final = "</think>"
_QUOTES: Final = "[`'\"]"
_CLOSED: Final = re.compile(rf"(?<!{_QUOTES}){CLOSING}|(?<=({_QUOTES})){CLOSING}(?!\1|\Z)")
"""A closing tag that is not quoted, as in a text about tags. Where the text ends after a quotation mark and a tag, that
is not known yet."""
_FORM: Final = "{"
"""What begins so is the form that was asked for. A server that holds a model to a schema leaves it no thoughts."""
_CUT: Final = frozenset((None, "length", "content_filter"))
"""Reasons to end that are not the model's own."""


@dataclass(slots=True)
class ThoughtFilter:
    """Takes the thoughts out of a text that comes in pieces, wherever the pieces are cut.

    Text is held back only while it may still become a tag at its beginning (blanks, and the tag's first letters), and,
    where it is known to begin inside a thought, up to the closing tag.
    """

    opened: bool = False
    """Whether the text begins inside a thought that no tag opens; also set when its closing tag shows that."""
    is_late: bool = False
    """Whether something of that thought was given out before its closing tag came; nothing is from then on."""
    _held: str = ""
    """A thought, or not yet decided."""
    _read: int = 0
    """How much of a thought was looked through, in characters."""
    _given: str = ""
    """What was given out as the answer."""
    _thinks: bool = False
    _thought: bool = False
    """Before; the blanks after a thought belong to it."""
    _answers: bool = False
    _ended: bool = False
    """By itself."""

    def feed(self, piece: str) -> str:
        """What of the text so far can be shown now; empty while it thinks."""
        self._held += piece
        while not self._answers and self._step():
            pass
        return self._watched(self._taken()) if self._answers else ""

    def finish(self, reason: str | None) -> str:
        """What was held back at the end of the text: nothing that is a thought, even if that was never closed.

        Args:
            reason: why it ended, as the API names it; None where that is not told.
        """
        self._ended = reason not in _CUT
        return "" if self._thinks else self._taken()

    @property
    def opens(self) -> bool:
        """Whether the next text of the same model has to be read as one that begins inside a thought.

        A text that never left its thought and yet ended by itself contradicts what was known: it is given up, and the
        next one is read as if nothing were known.
        """
        return self.opened and not (self._thinks and self._ended)

    def _step(self) -> bool:
        """Take one tag off what is held; False where more is needed to go on, or nothing more is to be taken off."""
        if self._thinks:
            return self._closed()
        begins = self._held.lstrip()
        if begins.startswith(OPENING):
            return self._think(begins[len(OPENING) :])
        if self._is_inside(begins):
            self.opened = True
            return self._think(begins)
        self._held = begins if self._thought else self._held
        self._answers = not (OPENING.startswith(begins) or CLOSING.startswith(begins))
        return False

    def _is_inside(self, begins: str) -> bool:
        """Whether a text that begins so is a thought that no tag opens."""
        if self._thought or begins.startswith(_FORM):
            return False
        return bool(begins) if self.opened else _is_unopened(begins)

    def _think(self, held: str) -> bool:
        self._thinks = self._thought = True
        self._held = held
        return True

    def _closed(self) -> bool:
        closed = _closing(self._held, self._read)
        self._read = 0 if closed else len(self._held)
        self._held = self._held[closed.end() :] if closed else self._held
        self._thinks = closed is None
        return closed is not None

    def _watched(self, piece: str) -> str:
        """A piece of the answer, unless it shows that what was given out before was a thought."""
        before = len(self._given)
        self._given += piece
        if before and not self._thought and _is_unopened(self._given, before):
            self.opened = self.is_late = True
        return "" if self.is_late else piece

    def _taken(self) -> str:
        taken, self._held = self._held, ""
        return taken


def _is_unopened(text: str, read: int = 0) -> bool:
    """Whether a text has shown by its closing tag that it began inside a thought.

    Args:
        text: what has come so far.
        read: how much of it was looked through before, in characters.
    """
    closed = _closing(text, read)
    return closed is not None and OPENING not in text[: closed.start()] and not text.lstrip().startswith(_FORM)


def _closing(text: str, read: int) -> re.Match[str] | None:
    """The first closing tag after what was looked through before, which may end with its first letters."""
    return _CLOSED.search(text, max(0, read - len(CLOSING)))
