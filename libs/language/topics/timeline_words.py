"""Words that ask for a timeline, and families of words for one kind of event."""

from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class TimelineWords(Topic):
    """Words around timelines; lower-cased."""

    about_timelines: frozenset[str]
    """Words of a question that ask for a timeline and not for its subject: `history`, `overview`."""
    final: frozenset[str]
    """Words that tell the last of several events: `last`."""
    families: tuple[str, ...]
    """Each entry has the words for one kind of event, with white space between them."""
