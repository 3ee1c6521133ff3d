"""The text of a sentence as the timeline shows it, without citations and markup. Pure functions.

Numbers of notes, of three digits, and lengths of links and emphasis are by hand: they bound the search.
"""

import re
from functools import lru_cache

from libs.contracts.spans import Span
from libs.language.calendar_names import month_names

MAX_TEXT = 2048
"""Maximum characters of an event's text, by the contract."""

_NAME = r"(?!(?i:{months})\b)[A-Z][\w’'-]+"
_PAIR = rf"(?:{_NAME}\s+)?{_NAME},?\s+(?:and|und|et|y|e|&)\s+(?:{_NAME}\s+)?{_NAME}"
_AUTHOR = rf"(?:{_PAIR}|{_NAME}),?\s+\d{{{{4}}}}[a-z]?"
_CITATION = (
    r"\s?\[(?:\d{{1,3}}(?:\s*[,–-]\s*\d{{1,3}})*|citation needed|note \d+|[a-z])\]"
    rf"|\s?\((?:(?:see|e\.g\.|cf\.|siehe|z\. ?B\.|vgl\.),?\s+)?{_AUTHOR}(?:[;,]\s+{_AUTHOR})*\)"
    r"|\s?\([^()]*\bet al\.?,? \d{{4}}[a-z]?[^()]*\)"
)
"""`[3]`, `(Smith, 2004)`, `(Smith et al., 2004; Cambridge University Press, 2019)`; `(May 2004)` is a date."""
_SAYS = re.compile(r"\bet al\.?,? \(\d{4}[a-z]?\)")
"""`Smith et al. (2004)`: the author is part of the sentence, but the year of the paper dates no event."""
_LINK = re.compile(r"!?\[([^\]]{0,500})\]\([^)\s]{0,1000}\)")
_EMPHASIS = re.compile(r"(?<!\w)(\*\*\*?|\*|__?|`)(?=\S)(.{1,500}?)(?<=\S)\1(?!\w)")
_BULLET = re.compile(r"\A\s*[-*+•–]\s+")
_BRACKETS, _MARKS = "[(", "*_`"
"""Characters without which there is no citation or link, or no emphasis; most sentences contain none of them."""


@lru_cache(maxsize=64)  # taste
def _citation_pattern(language: str) -> re.Pattern[str]:
    return re.compile(_CITATION.format(months="|".join(sorted(month_names(language))) or r"(?!)"))


def citations_in(sentence: str, language: str) -> tuple[Span, ...]:
    """Return the spans of citations: `[3]`, `(Smith, 2004)`, `Smith et al. (2004)`. Their years date no events."""
    if not _holds_any(_BRACKETS, sentence):
        return ()
    matches = (match for pattern in (_citation_pattern(language), _SAYS) for match in pattern.finditer(sentence))
    return tuple(Span(match.start(), match.end()) for match in matches)


def as_event_text(sentence: str, language: str) -> str:
    """Return the sentence without bullet, citations, links and emphasis, on one line, cut at a word if too long."""
    text = sentence
    if _holds_any(_BRACKETS, sentence):
        text = _LINK.sub(r"\1", _citation_pattern(language).sub("", sentence))
    text = _EMPHASIS.sub(r"\2", text) if _holds_any(_MARKS, text) else text
    text = " ".join(_BULLET.sub("", text, count=1).split())
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1].rsplit(" ", 1)[0] + "…"


def _holds_any(characters: str, text: str) -> bool:
    return any(character in text for character in characters)
