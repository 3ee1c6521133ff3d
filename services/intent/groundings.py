"""Groundings: phrases of a question with their exact meaning, and the question rewritten with them."""

from collections.abc import Iterable
from dataclasses import dataclass

from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded


@dataclass(frozen=True, slots=True)
class Grounding:
    """The grounding of one phrase, and how it changes the question."""

    grounded: Grounded
    replaced: Span | None = None
    """The words to replace; None leaves the question unchanged."""
    replacement: str = ""


def rewrite(question: str, groundings: Iterable[Grounding]) -> str:
    """Return the question with all replacements made; of overlapping ones only the first."""
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
