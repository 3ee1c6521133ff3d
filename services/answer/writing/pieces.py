"""Splits a language model's text into sentences, piece by piece.

A model's images, links and tags are removed from its prose: a client that renders Markdown or HTML would fetch their
targets, which could leak the conversation to a third-party server. Citations are numbers, so nothing is lost. Does no
I/O. Lengths in the patterns are by hand: they bound the search, and exceed what is met.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from libs.text.sentences import Sentence, split_sentences
from services.answer.citations import without_markers
from services.answer.drafts import BLOCK, LINE, NOTHING, SPACE, WIDE_STOPS

_LABEL, _TARGET = r"[^\[\]\n]{0,200}", r"[^()\n]{0,300}"
_PICTURE = re.compile(rf"!\[{_LABEL}\](?:\({_TARGET}\)|\[{_LABEL}\])\s?")
_LINKED_MARKER = re.compile(rf"(\[[\d,; ]+\])\({_TARGET}\)")
_LINK = re.compile(rf"\[({_LABEL})\]\({_TARGET}\)")
_TAG = re.compile(
    r"</?(?:a|audio|base|body|br|div|embed|form|html|iframe|img|input|link|meta|object|p|script|span|style|svg|video)"
    r"\b[^<>\n]{0,400}>\s?",
    re.IGNORECASE,
)
_OPENS = re.compile(r"!?\[[^\]\n]*\Z|!?\[[^\[\]\n]*\]\([^)\n]*\Z|!\Z|<[a-zA-Z/][^>\n]*\Z")
MAX_MARKUP = 600
"""Characters; anything that is still open after them is not markup (taste)."""


def plain_prose(text: str) -> str:
    """Return the text without images and tags, and links as their text; citation markers remain, without a link."""
    if "[" not in text and "<" not in text:
        return text
    return _TAG.sub("", _LINK.sub(r"\1", _LINKED_MARKER.sub(r"\1", _PICTURE.sub("", text))))


def without_open_markup(text: str) -> str:
    """Return the text up to an image, a link, a tag or a citation marker that may yet be closed."""
    tail = max(0, len(text) - MAX_MARKUP)
    match = _OPENS.search(text, tail)
    return text[: match.start()] if match else text


_OPEN_MARKER = "["
_ITEM = re.compile(r"(?:\A|\n)((?: {0,8})(?:[-*+•]|\d{1,3}[.)]) {1,4})\Z")
_MAX_SENTENCE = 1000
"""Characters; longer text is split here, so that reading takes linear time (taste)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text to append to the current sentence, without markers."""

    text: str


@dataclass(frozen=True, slots=True)
class SentenceBegins:
    """The start of a sentence."""

    gap: str
    """What separates it from the sentence before: a space or nothing, a line break, an empty line."""
    lead: str = ""
    """The marker of the list item that it begins, with the space after it: `- `, `2. `."""


@dataclass(frozen=True, slots=True)
class SentenceEnds:
    """The end of a sentence."""

    text: str
    """The sentence without markers."""
    numbers: tuple[int, ...]
    """The numbers that it cites."""
    endless: bool = False
    """It was cut here because it was too long."""
    code: bool = False
    """It is fenced code."""
    row: bool = False
    """It is a row of a table, without the bar at its end."""
    announces: bool = False
    """It is the head of a table."""

    @property
    def is_prose(self) -> bool:
        """Whether it is a sentence in the narrow sense."""
        return not (self.code or self.row)

    @property
    def closing(self) -> str:
        """What stands behind its citation markers: the bar that ends a row."""
        return " |" if self.row else ""


Sign = Piece | SentenceBegins | SentenceEnds


class SentenceReader:
    """Reads a text piece by piece and reports sentences as they begin, grow and end.

    A word is read once the space after it has arrived: only then is it known whether it ends or begins a sentence.

    Args:
        language: of the text, ISO 639-1.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._raw = ""
        self._shown_length = 0
        self._open = False
        self._new_paragraph = True
        self._lead = ""
        self._in_list = False
        self._last = ""
        """The sentence before."""

    def read(self, text: str) -> Iterator[Sign]:
        """Yield the signs for a further piece of the text."""
        self._raw += text
        end = max(self._raw.rfind(" "), self._raw.rfind("\n")) + 1
        yield from self._signs(end, last=False)
        if self._shown_length > _MAX_SENTENCE:
            yield from self._end(self._raw[:end], endless=True)
            self._raw, self._new_paragraph = self._raw[end:], False

    def finish(self) -> Iterator[Sign]:
        """Yield the signs for the rest at the end of the text."""
        yield from self._signs(len(self._raw), last=True)
        if sentences := self._sentences(len(self._raw)):
            yield from self._end(sentences[0].text)
        self._raw = ""

    def _signs(self, limit: int, last: bool) -> Iterator[Sign]:
        while len(sentences := self._sentences(limit)) > 1:
            first, second = sentences[:2]
            self._lead = self._lead or _lead_in(self._raw[: first.start])
            end = _past_markers(self._raw, second.start)
            if end >= second.end and len(sentences) == 2 and not last:
                break  # only markers of the next sentence have arrived, and more may follow
            whole = first.text + self._raw[second.start : end]
            yield from self._end(whole)
            self._new_paragraph = "\n" in self._raw[first.end : end]
            self._lead = _lead_in(self._raw[first.end : second.start])
            self._raw, limit = self._raw[end:], limit - end
        if sentences:
            self._lead = self._lead or _lead_in(self._raw[: sentences[0].start])
            yield from self._grow(sentences[0].text)

    def _sentences(self, end: int) -> list[Sentence]:
        """Sentences line by line: text after a line break must not change whether the break ends a sentence."""
        sentences, start = [], 0
        for line in self._raw[:end].splitlines(keepends=True):
            sentences += [
                Sentence(sentence.text, start + sentence.start, start + sentence.end)
                for sentence in split_sentences(line, self._language)
                if not sentence.heading
            ]
            start += len(line)
        return sentences

    def _grow(self, raw: str) -> Iterator[Sign]:
        yield from self._show(without_markers(plain_prose(without_open_markup(raw)))[0])

    def _show(self, text: str) -> Iterator[Sign]:
        if text and not self._open:
            self._open = True
            yield SentenceBegins(self._gap(), self._lead)
            self._lead = ""
        if len(text) > self._shown_length:
            yield Piece(text[self._shown_length :])
            self._shown_length = len(text)

    def _gap(self) -> str:
        """The separator from the previous sentence; each item of a list is on a separate line."""
        goes_on = self._in_list and bool(self._lead)
        self._in_list = bool(self._lead) or (self._in_list and not self._new_paragraph)
        if self._new_paragraph:
            return LINE if goes_on else BLOCK
        return NOTHING if self._last.endswith(WIDE_STOPS) else SPACE

    def _end(self, raw: str, endless: bool = False) -> Iterator[Sign]:
        text, numbers = without_markers(plain_prose(raw))
        yield from self._show(text)
        if self._open:
            yield SentenceEnds(text, numbers, endless)
            self._last = text
        self._open, self._shown_length = False, 0


def _lead_in(between: str) -> str:
    """The list marker at the end of the text before a sentence."""
    mark = _ITEM.search(between)
    return mark[1] if mark else ""


def _past_markers(text: str, position: int) -> int:
    """The position after the markers that begin at a position."""
    end = position
    while text.startswith(_OPEN_MARKER, end) and (close := text.find("]", end)) > 0:
        if not text[end + 1 : close].replace(",", "").replace(" ", "").isdecimal():
            break
        end = close + 1
        if text.startswith("(", end) and (target := text.find(")", end)) > 0:
            end = target + 1
        while end < len(text) and text[end].isspace():
            end += 1
    return end
