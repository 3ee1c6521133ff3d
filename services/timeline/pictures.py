"""Pictures beside events: one of the event's own document, where its caption tells what the event tells.

Quality goes first: what is small, a strip, plain or named as decoration shows nothing. None is a valid result.
"""

from collections.abc import Sequence
from math import sqrt

from libs.contracts.evidence import ImageReference
from libs.documents.picture_quality import is_good
from libs.text.tokens import content_stems
from services.timeline.events import Event

LEAST_LIKENESS = 0.3
"""Cosine of the stems of caption and event."""
_FEWEST_SHARED = 2
"""Stems: one alone is what the whole document is about."""


def place_pictures(events: Sequence[Event]) -> list[ImageReference | None]:
    """A picture or None for each event; each picture once, the best fitting pairs first."""
    stems = [frozenset(content_stems(event.text)) for event in events]
    pairs = sorted(
        (-likeness(words, image), position, number)
        for position, (event, words) in enumerate(zip(events, stems, strict=True))
        for number, image in enumerate(event.passage.images)
        if is_good(image)
    )
    placed: list[ImageReference | None] = [None] * len(events)
    used: set[tuple[str, str]] = set()
    for unlikeness, position, number in pairs:
        passage = events[position].passage
        image = passage.images[number]
        key = (passage.document_id, image.image_id)
        if -unlikeness >= LEAST_LIKENESS and placed[position] is None and key not in used:
            placed[position] = image
            used.add(key)
    return placed


def likeness(event: frozenset[str], image: ImageReference) -> float:
    """Cosine of the stems of an event's text and of a caption, in [0, 1]; 0 where fewer than two are shared."""
    caption = frozenset(content_stems(image.caption))
    shared = len(event & caption)
    return shared / sqrt(len(event) * len(caption)) if shared >= _FEWEST_SHARED else 0.0
