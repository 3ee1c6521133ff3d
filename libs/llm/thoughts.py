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
_FORM_OR_FENCE: Final = (_FORM, "`")
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
    is_form: bool = False
    """Whether the answer is a JSON object: words before it are held back up to the end, as they may be a thought."""
    _pending: str = ""
    """Text of a thought, or text not yet classified."""
    _searched_length: int = 0
    """Characters of a thought that were already searched."""
    _emitted: str = ""
    """Text that was emitted as the answer."""
    _thinks: bool = False
    _has_thought: bool = False
    """Whether there was a thought; the blanks after it are removed too."""
    _answers: bool = False
    _has_ended: bool = False
    """Whether the model ended the text itself."""

    def feed(self, piece: str) -> str:
        """Add a piece and return the text that can be shown now; empty inside a thought."""
        self._pending += piece
        while not self._answers and self._step():
            pass
        return self._watch(self._take_pending()) if self._answers else ""

    def finish(self, reason: str | None) -> str:
        """The answer text still held back at the end; never a thought, even if it was not closed.

        Args:
            reason: the API's finish reason; None if unknown.
        """
        self._has_ended = reason not in _CUT
        return "" if self._thinks else self._take_pending()

    @property
    def opens(self) -> bool:
        """Whether to assume that the same model's next text begins inside a thought.

        A text that the model ended without closing the thought contradicts that assumption; the next text is then read
        without it.
        """
        return self.opened and not (self._thinks and self._has_ended)

    def _step(self) -> bool:
        """Remove one tag from the held text; False if more text is needed or there is no further tag to remove."""
        if self._thinks:
            return self._close_thought()
        begins = self._pending.lstrip()
        if begins.startswith(OPENING):
            return self._think(begins[len(OPENING) :])
        if self._is_inside(begins):
            self.opened = True
            return self._think(begins)
        self._pending = begins if self._has_thought else self._pending
        is_tag = OPENING.startswith(begins) or CLOSING.startswith(begins)
        self._answers = not is_tag and (not self.is_form or begins.startswith(_FORM_OR_FENCE))
        return False

    def _is_inside(self, begins: str) -> bool:
        """Whether a text with this beginning is a thought without an opening tag."""
        if self._has_thought or begins.startswith(_FORM):
            return False
        return bool(begins) if self.opened else _is_unopened(begins)

    def _think(self, pending: str) -> bool:
        self._thinks = self._has_thought = True
        self._pending = pending
        return True

    def _close_thought(self) -> bool:
        closing = _closing(self._pending, self._searched_length)
        self._searched_length = 0 if closing else len(self._pending)
        self._pending = self._pending[closing.end() :] if closing else self._pending
        self._thinks = closing is None
        return closing is not None

    def _watch(self, piece: str) -> str:
        """A piece of the answer; empty if it shows that the text emitted before was a thought."""
        before = len(self._emitted)
        self._emitted += piece
        if before and not self._has_thought and _is_unopened(self._emitted, before):
            self.opened = self.is_late = True
        return "" if self.is_late else piece

    def _take_pending(self) -> str:
        text, self._pending = self._pending, ""
        return text


def _is_unopened(text: str, searched_length: int = 0) -> bool:
    """Whether a closing tag shows that the text began inside a thought.

    Args:
        text: the text so far.
        searched_length: characters of it that were already searched.
    """
    closing = _closing(text, searched_length)
    return closing is not None and OPENING not in text[: closing.start()] and not text.lstrip().startswith(_FORM)


def _closing(text: str, searched_length: int) -> re.Match[str] | None:
    """The first closing tag after the searched part, which may end with the tag's first letters."""
    return _CLOSED.search(text, max(0, searched_length - len(CLOSING)))
