"""Reads a model's text piece by piece: sentences, fenced code, rows of a table, and what is no part of the answer.

A word is read once the space after it has arrived: only then is it known whether it ends a sentence. A sentence ends
with its line. Code is shown unchanged and read as a whole. A mark at the beginning says that the items hold no answer;
lines below it that begin with another mark are questions to ask next. Neither is shown: text that may become one is
held back. Lengths of fences and indents are CommonMark's. Works in memory.
"""

import re
from collections.abc import Callable, Generator, Iterator
from typing import Final

from libs.language.characters import without_unseen
from libs.text.sentences import Sentence, split_sentences
from services.answer.citing.citations import without_markers
from services.answer.citing.drafts import BLOCK, LINE, NOTHING, SPACE, WIDE_STOPS
from services.answer.writing.pieces import (
    Kind,
    Piece,
    SentenceBegins,
    SentenceEnds,
    Sign,
    plain_prose,
    without_open_markup,
)

NO_ANSWER: Final = "NO ANSWER"
NEXT: Final = "NEXT:"
SEARCH: Final = "SEARCH:"
"""The marks, as the prompt requests them."""
LONGEST: Final = 200
"""Characters of a question; longer ones are dropped (taste)."""
_AROUND_NO_ANSWER: Final = " \t\n*_`\"'“”‘’([<#-"
_AROUND_NEXT: Final = r"[ \t>*_#•\-\d.)]{0,8}"
"""Characters that models put before a mark, before the second eight at most (taste)."""
_NEXT: Final = re.compile(rf"{_AROUND_NEXT}{NEXT}")
_FENCE: Final = re.compile(r"\s{0,3}(?:`{3,}|~{3,})[^`\n]*")
_ROW: Final = re.compile(r"[ \t]*\|[^\n]*\|[ \t]*(?:\[[\d,; ]+\])?[ \t]*")
_DELIMITERS: Final = re.compile(r"[\s|:-]+")
_HELD: Final = re.compile(
    rf"\s{{0,3}}(?:`{{1,3}}[^`\n]*|~{{1,3}}[^\n]*)?|[ \t]*\|[^\n]*|{_AROUND_NEXT}(?:N(?:E(?:X(?:T(?::[^\n]*)?)?)?)?)?"
)
"""The beginning of a line that may become a fence, a row or a mark."""
_ITEM: Final = re.compile(r" {0,8}(?:[-*+•]|\d{1,3}[.)]) {1,4}(?=\S)")
_MARKERS: Final = re.compile(r"(?:\[[\d, ]+\](?:\([^)]*\))?\s*)*")
_QUESTION_MARKS: Final = ("?", "？", "؟")


class TextReader:
    """Reads one answer; with no `follow_ups` requested, the mark of questions to ask next means nothing."""

    def __init__(self, language: str, follow_ups: int = 0) -> None:
        self._language, self._follow_ups = language, follow_ups
        self._rest = ""
        """The part of the current line that has not ended yet."""
        self._is_opening = True
        """Whether the text may still become `NO_ANSWER`."""
        self._shown_length = 0
        """Characters of the sentence in progress that are shown."""
        self._last = ""
        self._lead = ""
        """The marker of the list item that begins, until its first words are shown."""
        self._new_line = True
        self._in_list = self._in_table = False
        self._code: list[str] | None = None
        """The lines of the code in progress, beginning with its fence; None outside of code."""
        self._below: str | None = None
        self.finds_no_answer = False

    @property
    def has_next_questions(self) -> bool:
        """Whether the answer is over, and questions follow."""
        return self._below is not None

    @property
    def wanted_search(self) -> str:
        """What to search for, if the items hold no answer and the text names it; empty otherwise."""
        _, _, query = self._rest.partition(SEARCH) if self.finds_no_answer else ("", "", "")
        return next(iter(query.strip(_AROUND_NO_ANSWER).splitlines()), "")[:LONGEST].strip(f"{_AROUND_NO_ANSWER}.”’")

    def questions(self) -> tuple[str, ...]:
        """Return the distinct questions to ask next, at most as many as requested."""
        lines = without_unseen(self._below or "").replace(NEXT, "\n").splitlines()
        questions = (line.strip(' \t>*_#•-"“”') for line in lines)
        distinct = dict.fromkeys(each for each in questions if each.endswith(_QUESTION_MARKS) and len(each) <= LONGEST)
        return tuple(distinct)[: self._follow_ups]

    def read(self, text: str) -> Iterator[Sign]:
        """Yield the signs for a further piece of the text."""
        self._rest += text
        if self._may_be_no_answer(NO_ANSWER.startswith):
            return
        while self._below is None and "\n" in self._rest:
            line, _, self._rest = self._rest.partition("\n")
            yield from self._whole_line(line)
        if self._below is not None:
            self._below, self._rest = self._below + self._rest, ""
        elif self._code is None and not (self._at_start and _HELD.fullmatch(self._rest)):
            self._rest = yield from self._prose(self._rest)

    def finish(self) -> Iterator[Sign]:
        """Yield the signs for the rest at the end of the text; code without a closing fence ends there."""
        if self._may_be_no_answer(lambda _: False) or self._below is not None:
            return
        if self._rest:
            yield from self._whole_line(self._rest)
        if self._code is not None:
            yield from self._end_of_code(self._code)

    def _may_be_no_answer(self, is_beginning: Callable[[str], bool]) -> bool:
        """Whether the text is the mark, or may become it."""
        if self._is_opening:
            words = self._rest.lstrip(_AROUND_NO_ANSWER)
            self.finds_no_answer = words.startswith(NO_ANSWER)
            self._is_opening = self.finds_no_answer or is_beginning(words)
        return self._is_opening

    @property
    def _at_start(self) -> bool:
        """Whether a line begins, of which not even the marker of an item is read."""
        return self._new_line and not self._lead

    def _whole_line(self, line: str) -> Iterator[Sign]:
        if self._code is not None:
            yield from self._line_of_code(line, self._code)
        elif self._at_start and self._follow_ups and _NEXT.match(line):
            self._below = f"{line}\n"
        elif self._at_start and _FENCE.fullmatch(line):
            self._code, self._in_list = [line.strip()], False
            yield from (SentenceBegins(BLOCK), Piece(line.strip()))
        elif self._at_start and _ROW.fullmatch(line):
            yield from self._row(line.strip())
        else:
            self._in_table = False
            yield from self._end((yield from self._prose(line, is_whole=True)))
        self._lead, self._new_line = "", True

    def _prose(self, line: str, is_whole: bool = False) -> Generator[Sign, None, str]:
        """The sentences of a line, or of its beginning; returns the rest, the last sentence, which may go on."""
        if self._at_start and (mark := _ITEM.match(line)):
            self._lead, line = mark[0], line[mark.end() :]
        end = len(line) if is_whole else line.rfind(" ") + 1
        while len(sentences := self._sentences(line[:end])) > 1:
            first, second = sentences[:2]
            markers = _MARKERS.match(line, second.start)
            start = markers.end() if markers else second.start
            if start >= end and not is_whole:
                break  # only markers have arrived behind the first sentence, and more may follow
            yield from self._end(line[first.start : start])
            line, end = line[start:], end - start
        if sentences:
            raw = line[sentences[0].start : sentences[0].end]
            yield from self._show(without_markers(plain_prose(without_open_markup(raw)))[0])
        return line

    def _sentences(self, text: str) -> list[Sentence]:
        return [sentence for sentence in split_sentences(text, self._language) if not sentence.heading]

    def _show(self, text: str) -> Iterator[Sign]:
        if text and not self._shown_length:
            yield SentenceBegins(self._gap(), self._lead)
            self._lead, self._new_line = "", False
        if len(text) > self._shown_length:
            yield Piece(text[self._shown_length :])
            self._shown_length = len(text)

    def _gap(self) -> str:
        """The separator from the previous sentence; each item of a list is on a separate line."""
        if not self._new_line:
            return NOTHING if self._last.endswith(WIDE_STOPS) else SPACE
        goes_on, self._in_list = self._in_list and bool(self._lead), bool(self._lead)
        return LINE if goes_on else BLOCK

    def _end(self, raw: str) -> Iterator[Sign]:
        text, numbers = without_markers(plain_prose(raw))
        yield from self._show(text)
        if self._shown_length:
            yield SentenceEnds(text, numbers)
            self._last, self._shown_length = text, 0

    def _row(self, line: str) -> Iterator[Sign]:
        """A row; a table's first one, and the dashes below it, belong to the rows that follow."""
        text, numbers = without_markers(plain_prose(line))
        text = text.rstrip("| \t")
        is_head = not self._in_table or _DELIMITERS.fullmatch(text) is not None
        gap, self._in_table, self._in_list = LINE if self._in_table else BLOCK, True, False
        yield from (SentenceBegins(gap), Piece(text), SentenceEnds(text, numbers, Kind.HEAD if is_head else Kind.ROW))

    def _line_of_code(self, line: str, code: list[str]) -> Iterator[Sign]:
        if line.strip().startswith(code[0][:3]) and _FENCE.fullmatch(line):
            yield from self._end_of_code(code)
        else:  # inside code, the other kind of fence is an ordinary line
            code.append(line.rstrip())
            yield Piece(f"\n{line.rstrip()}")

    def _end_of_code(self, code: list[str]) -> Iterator[Sign]:
        fence, self._code = code[0][:1] * 3, None
        yield from (Piece(f"\n{fence}"), SentenceEnds("\n".join((*code, fence)), kind=Kind.CODE))
