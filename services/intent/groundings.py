"""Groundings: phrases of a question with their exact meaning, and the question rewritten with them. No I/O."""

from collections.abc import Iterable
from dataclasses import dataclass

from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded


@dataclass(frozen=True, slots=True)
class Grounding:
    """The grounding of one phrase, and how it changes the question."""

    grounded: Grounded
    replaced_span: Span | None = None
    """The words to replace; None leaves the question unchanged."""
    replacement: str = ""


def rewrite(question: str, groundings: Iterable[Grounding]) -> str:
    """Return the question with all replacements made; of overlapping ones only the first."""
    text, limit = question, len(question) + 1
    replacements = [
        (grounding.replaced_span, grounding.replacement)
        for grounding in groundings
        if grounding.replaced_span is not None
    ]
    for span, replacement in sorted(_without_overlaps(replacements), reverse=True):
        if span.end <= limit:
            text = text[: span.start] + replacement + text[span.end :]
            limit = span.start
    return text


def _without_overlaps(replacements: list[tuple[Span, str]]) -> Iterable[tuple[Span, str]]:
    limit = 0
    for span, replacement in sorted(replacements):
        if span.start >= limit:
            limit = span.end
            yield span, replacement
