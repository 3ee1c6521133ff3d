"""Detect from a question's words whether it asks for a timeline."""

from libs.language.topics.timelines import TimelineWish


def wants_timeline(question: str, language: str) -> bool:
    """Whether a question asks for a timeline: `timeline of …`, `history of …`, `what happened when`, `chronology`."""
    words = TimelineWish.of(language)
    return words.wish.search(question) is not None and words.other.search(question) is None
