"""Cutting a document's text into passages.

A passage is an exact span of the text, so a citation can point back to its place. Cuts fall at the end of a paragraph
if one is near, else of a sentence, else of a word; the next passage begins at a sentence a little before the cut, so
that what a cut separates still stands together in one passage.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.text.sentences import split_sentences
from services.vocabulary.spans import Span

DEFAULT_SIZE = 350
"""Characters; small passages are what sentence encoders and citations work best on."""
DEFAULT_OVERLAP = 0.25

_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*")
_WORD = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class _Starts:
    """Where paragraphs, sentences and words begin in a text, each ascending; paragraphs begin sentences too."""

    paragraphs: Sequence[int]
    sentences: Sequence[int]
    words: Sequence[int]


def split(text: str, size: int = DEFAULT_SIZE, overlap: float = DEFAULT_OVERLAP) -> list[Span]:
    """Spans of at most `size` code points that cover everything but white space, in order.

    Args:
        text: the document's text.
        size: greatest length of a passage, at least 20.
        overlap: the share of a passage that the next one repeats, in [0, 0.5]; met on average, not exactly,
            because passages begin at sentences.

    Returns:
        Spans without white space at either end; none for an empty text.

    Raises:
        ValueError: size or overlap is out of range.
    """
    if size < 20:
        raise ValueError(f"size must be at least 20, got {size}")
    if not 0 <= overlap <= 0.5:
        raise ValueError(f"overlap must be in [0, 0.5], got {overlap}")
    starts = _starts_of(text)
    repeated = int(size * overlap)
    spans: list[Span] = []
    begin = _word_from(text, 0)
    while begin < len(text):
        cut = _cut(starts, begin, size, len(text))
        spans.append(Span(begin, begin + len(text[begin:cut].rstrip())))
        begin = _word_from(text, cut if cut == len(text) else _resume(starts, begin, cut, repeated))
    return spans


def _word_from(text: str, position: int) -> int:
    """The first place from `position` on that is no white space."""
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _starts_of(text: str) -> _Starts:
    paragraphs = [match.end() for match in _PARAGRAPH.finditer(text)]
    sentences = sorted({*_sentence_starts(text), *paragraphs})
    return _Starts(paragraphs, sentences, [match.end() for match in _WORD.finditer(text)])


def _sentence_starts(text: str) -> Iterator[int]:
    """Where sentences begin, with the list or heading mark before them."""
    end_of_last = 0
    for sentence in split_sentences(text):
        line = text.rfind("\n", 0, sentence.start) + 1
        yield line if line >= end_of_last else sentence.start
        end_of_last = sentence.end


def _cut(starts: _Starts, begin: int, size: int, length: int) -> int:
    """Where the passage that begins at `begin` ends: the widest kind of boundary that does not waste much room."""
    limit = begin + size
    if limit >= length:
        return length
    for boundaries, least in ((starts.paragraphs, size // 2), (starts.sentences, size // 3), (starts.words, 1)):
        last = bisect_right(boundaries, limit) - 1
        if last >= 0 and boundaries[last] >= begin + least:
            return boundaries[last]
    return limit


def _resume(starts: _Starts, begin: int, cut: int, repeated: int) -> int:
    """Where the next passage begins: the sentence nearest to `cut - repeated`, else a word, else the cut itself."""
    if not repeated:
        return cut
    wanted = cut - repeated
    low = bisect_left(starts.sentences, max(begin + 1, cut - 2 * repeated))
    near = starts.sentences[low : bisect_right(starts.sentences, cut)]
    if near:
        return min(near, key=lambda position: abs(position - wanted))
    word = bisect_left(starts.words, max(begin + 1, wanted))
    return starts.words[word] if word < len(starts.words) and starts.words[word] <= cut else cut
