"""Words with which one asks what a question means."""

from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Clarification(Topic):
    """Asking back."""

    words: tuple[str, ...]
    """Content words that a question back may use though nobody said them before."""
