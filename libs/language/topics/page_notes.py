"""Words with which a page speaks of itself: its dates, its rights, the versions of a work."""

from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class PageNotes(Topic):
    """Words of page notes; lower-cased."""

    notes: frozenset[str]
    """Words with which a page gives its own dates: `last updated`."""
    rights: tuple[str, ...]
    """Phrases about copyright: `licensed under`."""
    releases: tuple[str, ...]
    """Prefixes of words for the versions of a work."""
