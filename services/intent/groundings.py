"""Phrases of a question that get an exact meaning, and the question as it reads with them."""

from collections.abc import Iterable
from dataclasses import dataclass

from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded


@dataclass(frozen=True, slots=True)
class Grounding:
    """What was found out about one phrase, and how the question changes by it."""

    grounded: Grounded
    replaced: Span | None = None
    """The words that make way; None leaves the question as it stands."""
    replacement: str = ""


def rewrite(question: str, groundings: Iterable[Grounding]) -> str:
    """The question with every replacement made; of overlapping ones the first holds."""
    text, taken_from = question, len(question) + 1
    places = [(g.replaced, g.replacement) for g in groundings if g.replaced is not None]
    for span, replacement in sorted(_apart(places), reverse=True):
        if span.end <= taken_from:
            text = text[: span.start] + replacement + text[span.end :]
            taken_from = span.start
    return text


def _apart(places: list[tuple[Span, str]]) -> Iterable[tuple[Span, str]]:
    taken_to = 0
    for span, replacement in sorted(places):
        if span.start >= taken_to:
            taken_to = span.end
            yield span, replacement
