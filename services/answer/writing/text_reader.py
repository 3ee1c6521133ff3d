"""Reads a model's text line by line: sentences, fenced code, rows of a table, and what is no part of the answer.

Code is shown unchanged and judged as a whole, a row by its cells. A mark at the beginning says that the items hold no
answer; lines below it that begin with another mark are questions to ask next. Neither is shown: text that may become
one is held back. Lengths of fences and indents are CommonMark's. Works in memory, piece by piece.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from services.answer.citations import without_markers
from services.answer.drafts import BLOCK, LINE
from services.answer.writing.pieces import Piece, SentenceBegins, SentenceEnds, SentenceReader, Sign, plain_prose

NO_ANSWER: Final = "NO ANSWER"
NEXT: Final = "NEXT:"
"""The marks, as the prompt requests them."""
BAR: Final = "|"
"""Begins a row of a table."""
LONGEST: Final = 200
"""Characters of a question; longer ones are dropped (taste)."""
_AROUND_NO_ANSWER: Final = " \t\n*_`\"'“”‘’([<#-"
_AROUND_NEXT: Final = r"[ \t>*_#•\-\d.)]{0,8}"
"""Characters that models put before a mark, before the second eight at most (taste)."""
_NEXT: Final = re.compile(rf"{_AROUND_NEXT}{NEXT}")
_FENCE: Final = re.compile(r"\s{0,3}(?:`{3,}|~{3,})[^`\n]*")
_ROW: Final = re.compile(r"[ \t]*\|[^\n]*\|[ \t]*(?:\[[\d,; ]+\])?[ \t]*\n?")
_DELIMITERS: Final = re.compile(r"[\s|:-]+")
_HELD: Final = re.compile(
    rf"\s{{0,3}}(?:`{{1,3}}[^`\n]*|~{{1,3}}[^\n]*)?|[ \t]*\|[^\n]*|{_AROUND_NEXT}(?:N(?:E(?:X(?:T(?::[^\n]*)?)?)?)?)?"
)
"""The beginning of a line that may become a fence, a row or a mark."""
_QUESTION_MARKS: Final = ("?", "？", "؟")


class TextReader:
    """Reads a text piece by piece.

    Args:
        language: of the text, ISO 639-1.
        follow_ups: how many questions to ask next were requested; with 0 their mark has no meaning.
    """

    def __init__(self, language: str, follow_ups: int = 0) -> None:
        self._language, self._follow_ups = language, follow_ups
        self._line = ""
        """The part of the current line that is not processed yet."""
        self._is_opening = True
        """Whether the text may still become `NO_ANSWER`."""
        self._at_start = True
        """Whether `_line` starts at the beginning of a line."""
        self._code: list[str] | None = None
        """The lines of the code in progress, beginning with its fence; None outside of code."""
        self._in_table = False
        self._below: str | None = None
        """The text from the first `NEXT` on."""
        self._sentences = SentenceReader(language)
        self.finds_no_answer = False

    @property
    def has_next_questions(self) -> bool:
        """Whether the answer is over, and questions follow."""
        return self._below is not None

    def questions(self) -> tuple[str, ...]:
        """Return the distinct questions to ask next, at most as many as requested."""
        lines = (self._below or "").replace(NEXT, "\n").splitlines()
        questions = (line.strip(' \t>*_#•-"“”') for line in lines)
        distinct = dict.fromkeys(each for each in questions if each.endswith(_QUESTION_MARKS) and len(each) <= LONGEST)
        return tuple(distinct)[: self._follow_ups]

    def read(self, text: str) -> Iterator[Sign]:
        """Yield the signs for a further piece of the text."""
        self._line += text
        if self._may_be_no_answer(NO_ANSWER.startswith):
            return
        while (end := self._line.find("\n") + 1) > 0 and self._below is None:
            line, self._line = self._line[:end], self._line[end:]
            yield from self._whole_line(line)
            self._at_start = True
        held = self._code is not None or (self._at_start and _HELD.fullmatch(self._line))
        if self._below is not None:
            self._below, self._line = self._below + self._line, ""
        elif self._line and not held:
            yield from self._prose(self._line)
            self._line, self._at_start = "", False

    def finish(self) -> Iterator[Sign]:
        """Yield the signs for the rest at the end of the text; code without a closing fence ends there."""
        if self._may_be_no_answer(lambda _: False):
            return
        if self._line and self._below is None:
            yield from self._whole_line(self._line)
        self._line = ""
        yield from self._end_of_code() if self._code is not None else self._sentences.finish()

    def _may_be_no_answer(self, is_beginning: Callable[[str], bool]) -> bool:
        """Whether the text is the mark, or may become it."""
        if self._is_opening:
            words = self._line.lstrip(_AROUND_NO_ANSWER)
            self.finds_no_answer = words.startswith(NO_ANSWER)
            self._is_opening = self.finds_no_answer or is_beginning(words)
        return self._is_opening

    def _whole_line(self, line: str) -> Iterator[Sign]:
        if self._code is not None:
            yield from self._line_of_code(line)
        elif self._at_start and self._follow_ups and _NEXT.match(line):
            yield from self._sentences.finish()
            self._below = line
        elif self._at_start and _FENCE.fullmatch(line.rstrip("\n")):
            yield from self._sentences.finish()
            self._code = [line.strip()]
            yield SentenceBegins(BLOCK)
            yield Piece(line.strip())
        elif self._at_start and _ROW.fullmatch(line):
            yield from self._row(line)
        else:
            yield from self._prose(line)

    def _prose(self, text: str) -> Iterator[Sign]:
        self._in_table = False
        yield from self._sentences.read(text)

    def _row(self, line: str) -> Iterator[Sign]:
        """A row; a table's first one, and the dashes below it, belong to the rows that follow."""
        yield from self._sentences.finish()
        text, numbers = without_markers(plain_prose(line.strip()))
        text = text.rstrip("| \t")
        yield SentenceBegins(LINE if self._in_table else BLOCK)
        yield Piece(text)
        is_head = not self._in_table or _DELIMITERS.fullmatch(text) is not None
        yield SentenceEnds(text, numbers, row=True, announces=is_head)
        self._in_table, self._sentences = True, SentenceReader(self._language)

    def _line_of_code(self, line: str) -> Iterator[Sign]:
        assert self._code is not None
        if line.strip().startswith(self._code[0][:3]) and _FENCE.fullmatch(line.rstrip("\n")):
            yield from self._end_of_code()
        else:  # inside code, the other kind of fence is an ordinary line
            self._code.append(line.rstrip())
            yield Piece(f"\n{line.rstrip()}")

    def _end_of_code(self) -> Iterator[Sign]:
        assert self._code is not None
        fence = self._code[0][:1] * 3
        lines, self._code = [*self._code, fence], None
        yield Piece(f"\n{fence}")
        yield SentenceEnds("\n".join(lines), (), code=True)
        self._sentences = SentenceReader(self._language)
