"""Splits text into sentences with offsets, by rules for its language.

Every character that is neither white space nor a structure mark (`#`, `-`, `1.`, `>`, `---`, code fences) is in exactly
one sentence, in order. A blank line, a Markdown heading, a list item, a table row, a rule and a deliberate line break
end one; full stops after abbreviations (Dr., e.g., No. 5, z. B.), initials, decimals and inside web addresses do not,
and `。！？` do without a following space. Text without a stop is divided into sentences of at most `MAX_SENTENCE`
characters, at spaces where there are any.

The rules are custom for speed and offsets: a megabyte of prose takes 0.15 s; syntok took 1.2 s and pysbd 9 s. Lengths
in patterns are taste. In a thread whose work nobody waits for, WorkCancelled is raised.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from libs.language.topics.grammar import Abbreviations
from libs.runtime.threads import raise_if_cancelled
from libs.text.limits import MAX_SENTENCE
from libs.text.memoize import memoized

_LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_LINE_BREAKS = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_ONLY_MARKS = re.compile(r"[\s\-*_=~`#>|:+]*\Z|\s*(?:```|~~~)")
_WORD = re.compile(r"\S+")
_QUOTE_MARK = re.compile(r"[ \t>]*")
_HEADING_MARK = re.compile(r"#{1,6}[ \t]+")
_ITEM_MARK = re.compile(r"(?:[-*+•‣▪·]|\(?\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|(?=\|)")
_RAGGED = 0.7
"""A line shorter than this share of the widest one was broken deliberately, not wrapped (taste).

In the 39 articles of TimeSET, whose headline and date stand on lines of their own, it divides 79 sentences.
"""
_Line: TypeAlias = tuple[int, int]
"""Start and end offsets of a line."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A span [start, end) of the text, without leading marks and surrounding white space."""

    start: int
    end: int
    heading: bool = False


def split_blocks(text: str) -> Iterator[TextBlock]:
    """The blocks of a text, in order; each has content besides white space and structure marks."""
    paragraph: list[_Line] = []
    end_of_last = 0
    for line in _LINE.finditer(text):
        start, end = line.span()
        if start - end_of_last > 1 and len(_LINE_BREAKS.findall(text, end_of_last, start)) > 1:
            yield from _close(text, paragraph)
        end_of_last = end
        if text[start].isalpha():  # no mark is a letter
            paragraph.append((start, end))
            continue
        if _ONLY_MARKS.match(line[0]):
            yield from _close(text, paragraph)
            continue
        start += len(_QUOTE_MARK.match(line[0])[0])  # type: ignore[index]  # matches the empty string too
        if heading := _HEADING_MARK.match(text, start, end):
            yield from _close(text, paragraph)
            yield from _trim(text, heading.end(), end, heading=True)
        elif item := _ITEM_MARK.match(text, start, end):
            yield from _close(text, paragraph)
            paragraph.append((item.end(), end))
        else:
            paragraph.append((start, end))
    yield from _close(text, paragraph)


def _close(text: str, lines: list[_Line]) -> Iterator[TextBlock]:
    """Yield the collected lines as one block, or several at deliberate line breaks; empty `lines`."""
    if not lines:
        return
    first = lines[0][0]
    if len(lines) > 1:
        most = _RAGGED * max([end - start for start, end in lines])
        for line, following in pairwise(lines):
            if _broken_on_purpose(text, line, following, most):
                yield from _trim(text, first, line[1])
                first = following[0]
    yield from _trim(text, first, lines[-1][1])
    lines.clear()


def _broken_on_purpose(text: str, line: _Line, following: _Line, most: float) -> bool:
    """Whether the next line's first word would have fitted into this line, and the line does not continue there."""
    room = most - (line[1] - line[0] + 1)
    if room < 1:
        return False
    first_word = _WORD.search(text, *following)[0]  # type: ignore[index]  # a line of a paragraph has one
    goes_on = first_word[0].islower() or text[line[0] : line[1]].rstrip().endswith((",", ";", "-", "–", "—"))
    return len(first_word) <= room and not goes_on


def _trim(text: str, start: int, end: int, heading: bool = False) -> Iterator[TextBlock]:
    if start < end and (text[start].isspace() or text[end - 1].isspace()):
        stretch = text[start:end]
        start += len(stretch) - len(stretch.lstrip())
        end -= len(stretch) - len(stretch.rstrip())
    if start < end:
        yield TextBlock(start, end, heading)


_STOPS = ".!?…‽⁇⁈⁉؟۔।॥።"
_WIDE_STOPS = "。！？｡"
_MARK = re.compile(f"[{_STOPS}{_WIDE_STOPS}]")
_STOP = re.compile(
    # Followed by a space; possessive quantifiers keep a line of only dots linear.
    rf"""(?<![{_STOPS}])(?P<stop>[{_STOPS}]++)(?P<closers>["'”’»)\]*_]*+)(?:\[\d{{1,3}}\])*+(?=\s)"""
    # Wide stops need no space.
    rf"""|(?P<wide>[{_WIDE_STOPS}]++)[」』”’）)】》]*+(?=.)""",
    re.DOTALL,
)
_FOLLOWING = re.compile(r"""\s*["'“‘«(\[*_]*(\w*)""")
_LETTER = re.compile(r"[^\W\d_]")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]\Z")
_ORDINAL = re.compile(r"\d{1,2}|[IVXLC]{1,5}")
_OPENERS = "\"'“‘«([*_"
_MAX_SHORT_FORM = 12  # characters of an abbreviation with its stop (taste)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its span: `text == source[start:end]`, without surrounding white space."""

    text: str
    start: int
    end: int
    heading: bool = False
    """Whether it is marked as a heading: it names what follows and makes no claim."""


@memoized(texts=256, longest=10_000)  # taste
def split_sentences(text: str, language: str, longest: int | None = MAX_SENTENCE) -> tuple[Sentence, ...]:
    """The sentences of a plain or Markdown text, in order.

    Args:
        text: the text.
        language: of the text, ISO 639-1.
        longest: maximum characters of a sentence; None: a sentence is never divided.
    """
    abbreviations = Abbreviations.of(language)
    return tuple(
        Sentence(text[start:end], start, end, block.heading)
        for block in split_blocks(text)
        for whole in _split_block(text, block, abbreviations)
        for start, end in _divided(text, *whole, longest or len(text))
    )


def newest_sentences(texts: Sequence[str], longest: int, language: str) -> str:
    """The last sentences of several texts, whole, one text on a line, as many as fit in `longest` characters."""
    lines = list[str]()
    for line in filter(None, (" ".join(text.split()) for text in reversed(texts))):
        starts = (sentence.start for sentence in split_sentences(line, language))
        start = next((start for start in starts if len(line) - start <= longest), len(line))
        lines.append(line[start:])
        longest -= len(line) - start + 1
        if start:
            break
    return "\n".join(filter(None, reversed(lines)))


def _divided(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """The parts of a sentence that is too long, without the white space between them."""
    while end - start > longest:
        last = text.rfind(" ", start + 1, start + longest + 1)
        cut = last if last > 0 else start + longest
        yield start, cut
        start = cut + _width_of_space(text, cut)
    if start < end:
        yield start, end


def _split_block(text: str, block: TextBlock, abbreviations: Abbreviations) -> Iterator[tuple[int, int]]:
    raise_if_cancelled()
    start = searched_to = block.start
    has_words = False
    for stop in _stops(text, block):
        has_words = has_words or _LETTER.search(text, searched_to, stop.start()) is not None
        searched_to = stop.end()
        if has_words and _ends_sentence(text, stop, block, abbreviations):
            yield start, stop.end()
            start = stop.end() + _width_of_space(text, stop.end())
            has_words = False
    if start < block.end:
        yield start, block.end


def _stops(text: str, block: TextBlock) -> Iterator[re.Match[str]]:
    """Candidates for the end of a sentence; searching for single marks first is five times as fast."""
    position = block.start
    while mark := _MARK.search(text, position, block.end):
        stop = _STOP.match(text, mark.start(), block.end)
        if stop:
            yield stop
        position = (stop or mark).end()


def _width_of_space(text: str, position: int) -> int:
    end = position
    while end < len(text) and text[end].isspace():
        end += 1
    return end - position


def _ends_sentence(text: str, stop: re.Match[str], block: TextBlock, abbreviations: Abbreviations) -> bool:
    if stop["wide"]:
        return True
    following = _FOLLOWING.match(text, stop.end(), block.end)
    next_word = following[1] if following else ""
    word = _word_before(text, stop.start(), block.start)
    if stop["stop"] == "." and (verdict := _short_form_ends(word, next_word, abbreviations)) is not None:
        return verdict
    if not next_word[:1].islower():
        return True
    # A lower-case word follows: chat without capitals ends here, but `"Why?" he asked` and `Yahoo! is` continue.
    return not stop["closers"] and stop["stop"] in ".!?" and word.islower() and len(word) > 3 and word.isalpha()


def _word_before(text: str, position: int, floor: int) -> str:
    words = text[max(floor, position - _MAX_SHORT_FORM) : position].split()
    return words[-1].lstrip(_OPENERS) if words else ""


def _short_form_ends(word: str, next_word: str, abbreviations: Abbreviations) -> bool | None:
    """Whether a full stop after an abbreviation ends the sentence; None if the word is not an abbreviation."""
    lower = word.lower()
    if lower in abbreviations.never_end:
        return False
    if lower in abbreviations.before_number and next_word[:1].isdigit():
        return False
    initial = len(word) == 1 and word.isalpha()
    ordinal = abbreviations.ordinal_stop and _ORDINAL.fullmatch(word) is not None
    if initial or ordinal or lower in abbreviations.may_end or _DOTTED.match(word):
        return next_word in abbreviations.starters
    return None
