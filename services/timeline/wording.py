"""Wording: a sentence as the timeline shows it, without the marks of the page it was taken from."""

import re

from services.vocabulary.spans import Span

LONGEST_TEXT = 2048
"""Characters of an event's text, by the contract."""

_AUTHOR = r"[A-Z][\w’'-]+(?:\s+et\s+al\.?)?(?:,?\s+(?:and|&)\s+[A-Z][\w’'-]+)?,?\s+\d{4}[a-z]?"
_CITATION = re.compile(
    r"\s?\[(?:\d{1,3}(?:\s*[,–-]\s*\d{1,3})*|citation needed|note \d+|[a-z])\]"
    rf"|\s?\((?:see\s+)?{_AUTHOR}(?:[;,]\s+{_AUTHOR})*\)",
)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_EMPHASIS = re.compile(r"(?<!\w)(\*\*\*?|\*|__?|`)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_SPACE = re.compile(r"\s+")


def citations_in(sentence: str) -> tuple[Span, ...]:
    """Where a sentence names its sources: `[3]`, `(Smith et al., 2004)`. A year in it dates nothing."""
    return tuple(Span(match.start(), match.end()) for match in _CITATION.finditer(sentence))


def as_event_text(sentence: str) -> str:
    """The sentence without citations, links and emphasis, on one line, cut at a word when too long."""
    text = _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", _CITATION.sub("", sentence)))
    text = _SPACE.sub(" ", text).strip()
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1].rsplit(" ", 1)[0] + "…"
