"""Sentences of a conversation without content."""

from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Fillers(Topic):
    """Sentences without content in a language."""

    openings: tuple[str, ...]
    """How they begin: `glad to help`."""
