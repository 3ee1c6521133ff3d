"""Removes the thoughts of a reasoning model from its answer.

Most servers put thoughts into a separate field (`reasoning_content`, `reasoning`), which is not read here. Others leave
them at the beginning of the answer, between `<think>` and `</think>`; if the model's template has already opened the
thought in the prompt (DeepSeek-R1), only the closing tag is sent. That such a text begins inside a thought can't be
seen before that tag: it must be known in advance, or text that was emitted before the tag can't be taken back.
"""

import re
from dataclasses import dataclass
from typing import Final

OPENING: Final = "<think>"
CLOSING: Final = "</think>"
_QUOTES: Final = "[`'\"]"
_CLOSED: Final = re.compile(rf"(?<!{_QUOTES}){CLOSING}|(?<=({_QUOTES})){CLOSING}(?!\1|\Z)")
"""A closing tag that is not quoted (a text about tags quotes them). If the text so far ends after a quotation mark and
a tag, that is still undecided and doesn't match."""
_FORM: Final = "{"
"""Beginning of a structured answer, which has no thoughts: a server that enforces a schema leaves no room for them."""
_CUT: Final = frozenset((None, "length", "content_filter"))
"""Finish reasons for an answer that the model did not end itself."""


@dataclass(slots=True)
class ThoughtFilter:
    """Removes the thoughts from a text that arrives in pieces, wherever the pieces are cut.

    Text is held back only while its beginning may still become a tag (blanks, and the tag's first letters), and, if it
    is known to begin inside a thought, up to the closing tag.
    """

    opened: bool = False
    """Whether the text begins inside a thought without an opening tag; also set when a closing tag shows that."""
    is_late: bool = False
    """Whether part of that thought was emitted before its closing tag arrived; nothing is emitted from then on."""
    _held: str = ""
    """Text of a thought, or text not yet classified."""
    _read: int = 0
    """Characters of a thought that were already searched."""
    _given: str = ""
    """Text that was emitted as the answer."""
    _thinks: bool = False
    _thought: bool = False
    """Whether there was a thought; the blanks after it are removed too."""
    _answers: bool = False
    _ended: bool = False
    """Whether the model ended the text itself."""

    def feed(self, piece: str) -> str:
        """Add a piece and return the text that can be shown now; empty inside a thought."""
        self._held += piece
        while not self._answers and self._step():
            pass
        return self._watched(self._taken()) if self._answers else ""

    def finish(self, reason: str | None) -> str:
        """The answer text still held back at the end; never a thought, even if it was not closed.

        Args:
            reason: the API's finish reason; None if unknown.
        """
        self._ended = reason not in _CUT
        return "" if self._thinks else self._taken()

    @property
    def opens(self) -> bool:
        """Whether to assume that the same model's next text begins inside a thought.

        A text that the model ended without closing the thought contradicts that assumption; the next text is then read
        without it.
        """
        return self.opened and not (self._thinks and self._ended)

    def _step(self) -> bool:
        """Remove one tag from the held text; False if more text is needed or there is no further tag to remove."""
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
        """Whether a text with this beginning is a thought without an opening tag."""
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
        """A piece of the answer; empty if it shows that the text emitted before was a thought."""
        before = len(self._given)
        self._given += piece
        if before and not self._thought and _is_unopened(self._given, before):
            self.opened = self.is_late = True
        return "" if self.is_late else piece

    def _taken(self) -> str:
        taken, self._held = self._held, ""
        return taken


def _is_unopened(text: str, read: int = 0) -> bool:
    """Whether a closing tag shows that the text began inside a thought.

    Args:
        text: the text so far.
        read: characters of it that were already searched.
    """
    closed = _closing(text, read)
    return closed is not None and OPENING not in text[: closed.start()] and not text.lstrip().startswith(_FORM)


def _closing(text: str, read: int) -> re.Match[str] | None:
    """The first closing tag after the searched part, which may end with the tag's first letters."""
    return _CLOSED.search(text, max(0, read - len(CLOSING)))
