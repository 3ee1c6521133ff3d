"""Removes pleasantries before a question: `Thanks! How much is it?`"""

from typing import Final

from libs.language.topics.pleasantries import Pleasantries

_MOST: Final = 5
"""Maximum number of pleasantries that are removed."""


def without_politeness(text: str, language: str) -> str:
    """The text without leading pleasantries; the whole text if it contains nothing else.

    Args:
        text: a question.
        language: of the question, ISO 639-1.
    """
    opening, end = Pleasantries.of(language).opening, 0
    for _ in range(_MOST):
        match = opening.match(text, end)
        if match is None:
            break
        end = match.end()
    return text[end:] or text
