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
    replacements = sorted((each.replaced_span, each.replacement) for each in groundings if each.replaced_span)
    parts, position = [], 0
    for span, replacement in replacements:
        if span.start >= position:
            parts += [question[position : span.start], replacement]
            position = span.end
    return "".join((*parts, question[position:]))
