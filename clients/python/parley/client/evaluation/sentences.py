"""The sentences of a text that a model wrote, each with the numbers that it cites. Pure functions."""

import re
from dataclasses import dataclass

_MARKER = re.compile(r"\s*\[(\d+(?:\s*[,;]\s*\d+)*)\]")
_END = re.compile(r"[.!?]+[\"'”’)]*(?:\s*\[\d+(?:\s*[,;]\s*\d+)*\])*(?=\s+[^\s\da-z]|\s+\d|\s*$)")
_SHORT = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|No|vs|etc|approx|ca|cf|e\.g|i\.e|[A-Z])|\.[A-Za-z])\.$")
"""A full stop behind these ends no sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Without its markers; `ends` tells where a paragraph ends behind it."""

    text: str
    numbers: tuple[int, ...]
    ends: bool = False


def read_sentences(text: str) -> list[Sentence]:
    """All sentences of a text, paragraph by paragraph; a line of its own is one, too."""
    sentences: list[Sentence] = []
    for paragraph in filter(str.strip, re.split(r"\n+", text)):
        candidates = [_sentence(part) for part in _parts(paragraph.strip())]
        paragraph_sentences = [sentence for sentence in candidates if sentence.text]
        sentences.extend(paragraph_sentences[:-1])
        sentences.extend(Sentence(last.text, last.numbers, ends=True) for last in paragraph_sentences[-1:])
    return sentences


def _parts(paragraph: str) -> list[str]:
    parts, start = [], 0
    for end in _END.finditer(paragraph):
        if _SHORT.search(paragraph[start : end.end()]):
            continue
        parts.append(paragraph[start : end.end()])
        start = end.end()
    return [*parts, paragraph[start:]]


def _sentence(part: str) -> Sentence:
    numbers = [int(number) for marker in _MARKER.findall(part) for number in re.findall(r"\d+", marker)]
    text = re.sub(r"\s+([.!?,;:])", r"\1", _without_markers(part)).strip(" -*•\t")
    return Sentence(text if re.search(r"\w", text) else "", tuple(dict.fromkeys(numbers)))


def _without_markers(part: str) -> str:
    """Also without those that others stood in: `[1[1]]`."""
    while (less := _MARKER.sub("", part)) != part:
        part = less
    return part
