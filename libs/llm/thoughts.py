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
_CLOSED: Final = re.compile(rf"{CLOSING}(?:(?<!{_QUOTES}{CLOSING})|(?<=({_QUOTES}){CLOSING})(?!\1|\Z))")
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
    _text: str = ""
    _emitted: int = 0
    """Characters of the answer that were emitted."""
    _ended_inside: bool = False
    """Whether the model ended the text itself without closing a thought."""

    def feed(self, piece: str) -> str:
        """Add a piece and return the text that can be shown now; empty inside a thought."""
        self._text += piece
        answer = self._answer()
        return "" if answer is None or self._is_undecided(answer.lstrip()) else self._emit(answer)

    def finish(self, reason: str | None) -> str:
        """The answer text still held back at the end; never a thought, even if it was not closed.

        Args:
            reason: the API's finish reason; None if unknown.
        """
        answer = self._answer()
        self._ended_inside = answer is None and reason not in _CUT
        return "" if answer is None else self._emit(answer)

    @property
    def opens(self) -> bool:
        """Whether to assume that the same model's next text begins inside a thought.

        A text that the model ended without closing the thought contradicts that assumption; the next text is then read
        without it.
        """
        return self.opened and not self._ended_inside

    def _answer(self) -> str | None:
        """The text after its thoughts; None inside one."""
        answer = self._text
        while (inner := self._thought(answer, is_first=answer is self._text)) is not None:
            if (closing := _CLOSED.search(inner)) is None:
                return None
            answer = inner[closing.end() :].lstrip()
        return answer

    def _thought(self, text: str, is_first: bool) -> str | None:
        """The text from the first word of the thought that it begins with; None if it begins with the answer.

        A first thought without an opening tag is noted in `opened`, and in `is_late` if part of it was emitted.
        """
        begins = text.lstrip()
        if begins.startswith(OPENING):
            return begins[len(OPENING) :]
        if not is_first or not begins or begins.startswith(_FORM):
            return None
        if not self.opened and _is_unopened(begins):
            self.opened, self.is_late = True, self._emitted > 0
        return begins if self.opened else None

    def _is_undecided(self, begins: str) -> bool:
        """Whether a text that begins like this may still turn out to be a thought."""
        is_tag = OPENING.startswith(begins) or CLOSING.startswith(begins)
        return is_tag or (self.is_form and not begins.startswith(_FORM_OR_FENCE))

    def _emit(self, answer: str) -> str:
        text = "" if self.is_late else answer[self._emitted :]
        self._emitted = len(answer)
        return text


def _is_unopened(text: str) -> bool:
    """Whether a closing tag shows that the text began inside a thought."""
    closing = _CLOSED.search(text)
    return closing is not None and OPENING not in text[: closing.start()]
