"""Pictures for events: from the event's own document, if the caption matches the event.

Pictures of low quality are skipped: small ones, strips, plain ones and decorations. No picture is a valid result.
"""

from collections.abc import Sequence
from math import sqrt

from libs.contracts.evidence import ImageReference
from libs.documents.picture_quality import is_good
from libs.text.tokens import content_stems
from services.timeline.events import EventCandidate

LEAST_LIKENESS = 0.3
"""Minimum cosine of the stems of caption and event."""
_FEWEST_SHARED = 2
"""Minimum shared stems: a single one may be just the subject of the whole document."""


def place_pictures(events: Sequence[EventCandidate]) -> list[ImageReference | None]:
    """Return a picture or None for each event; each picture is used once, best matches first."""
    stems = [frozenset(content_stems(event.text, event.dated_sentence.language)) for event in events]
    pairs = sorted(
        (-likeness(words, image, event.dated_sentence.language), position, number)
        for position, (event, words) in enumerate(zip(events, stems, strict=True))
        for number, image in enumerate(event.passage.images)
        if is_good(image)
    )
    images: list[ImageReference | None] = [None] * len(events)
    used_images: set[tuple[str, str]] = set()
    for negative_likeness, position, number in pairs:
        passage = events[position].passage
        image = passage.images[number]
        key = (passage.document_id, image.image_id)
        if -negative_likeness >= LEAST_LIKENESS and images[position] is None and key not in used_images:
            images[position] = image
            used_images.add(key)
    return images


def likeness(event: frozenset[str], image: ImageReference, language: str) -> float:
    """Return the cosine of the stems of an event's text and a caption, in [0, 1]; 0 if fewer than two are shared."""
    caption = frozenset(content_stems(image.caption, language))
    common_words = len(event & caption)
    return common_words / sqrt(len(event) * len(caption)) if common_words >= _FEWEST_SHARED else 0.0
