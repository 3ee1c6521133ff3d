"""Building: from evidence to a timeline, step by step, in worker threads.

An event's picture is of its own document, if the caption matches the event; pictures of low quality are skipped. Models
are awaited; functions that are not coroutines are pure.
"""

import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Final

from libs.chronology.days import days_of, lies_within
from libs.chronology.similarity import signatures_of
from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Evidence, ImageReference
from libs.contracts.stages.timeline import BuildStep, Built
from libs.contracts.timeline import DateConflict, Timeline, TimelineEvent
from libs.contracts.usage import Progress, Stage, Usage
from libs.documents.picture_quality import is_good
from libs.language.known import ENGLISH
from libs.runtime.threads import in_thread
from libs.text.tokens import content_stems
from services.timeline.by_model.event_selection import EventSelector
from services.timeline.conflicts import CandidateConflict, TimelineAssembly, find_conflicts
from services.timeline.duplicates import DUPLICATE, merge_duplicates
from services.timeline.extraction.events import EventCandidate, find_events
from services.timeline.granularity import choose_granularity

MIN_LIKENESS = 0.3
"""Minimum cosine of the stems of caption and event (by hand)."""
_FEWEST_SHARED = 2
"""Minimum shared stems: a single one may be just the subject of the whole document (taste)."""


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
        if -negative_likeness >= MIN_LIKENESS and images[position] is None and key not in used_images:
            images[position] = image
            used_images.add(key)
    return images


def likeness(event: frozenset[str], image: ImageReference, language: str) -> float:
    """Return the cosine of the stems of an event's text and a caption, in [0, 1]; 0 if fewer than two are shared."""
    caption = frozenset(content_stems(image.caption, language))
    common_words = len(event & caption)
    return common_words / sqrt(len(event) * len(caption)) if common_words >= _FEWEST_SHARED else 0.0


ENOUGH_EVENTS: Final = 12
"""Up to this many events, less relevant ones are included too; about a screen, by taste."""
MIN_SHARE: Final = 0.4
"""Minimum share of the best event's score for further events once there are enough, in [0, 1]; chosen by hand."""
FILL_SHARE: Final = 0.15
"""The same while there are not enough; events below it are hardly related to the question. Chosen by hand."""
CONFLICT: Final = 0.8
"""Minimum cosine of two descriptions with different dates to report a conflict; between the two bounds of duplicates,
chosen by hand."""


@dataclass(frozen=True, slots=True)
class TimelineBounds:
    """Limit on the number of events, and threshold for merging two descriptions of an event."""

    max_events: int = 30
    """Maximum number of events (taste)."""
    duplicate: float = DUPLICATE
    """Minimum cosine of the words of two descriptions with compatible dates to merge them, in (0, 1]."""


@dataclass(frozen=True, slots=True)
class TimelineBuilder:
    """Builds timelines by rules, or from the events that a language model chooses among theirs; keeps no state."""

    bounds: TimelineBounds = TimelineBounds()
    choosing: EventSelector = field(default_factory=EventSelector)
    """By default the rules choose."""

    async def build(
        self,
        question: str,
        evidence: Sequence[Evidence],
        time_range: TimeRange | None = None,
        max_events: int = 0,
    ) -> AsyncGenerator[BuildStep, None]:
        """Yield progress and degradations, then the timeline.

        Args:
            question: the standalone question, by which events are ranked.
            evidence: passages with their near duplicates.
            time_range: include only events that certainly begin in it; None for all events.
            max_events: the maximum number of events; 0 for those that fit the question well, within the bounds.

        Raises:
            FailedPrecondition: the settings require a language model, and none is configured.
            LlmError: the settings require a language model, and it failed.
        """
        start = time.perf_counter()
        yield Progress(f"Dating the sentences of {len(evidence)} passages")
        events = await in_thread(find_events, question, evidence)
        yield Progress(f"Ordering {len(events)} dated statements")
        assembly = await in_thread(order_events, events, self.bounds, time_range)
        choosing_start = time.perf_counter()
        choice = await self.choosing.choose(question, events, assembly, max_events)
        if choice.degraded:
            yield choice.degraded
        choosing_end = time.perf_counter()
        timeline = await in_thread(timeline_of, choice.assembly, self.bounds, max_events)
        by_rules = Usage(
            Stage.TIMELINE, "build", milliseconds=1000 * (time.perf_counter() - choosing_end + choosing_start - start)
        )
        yield Built(replace(timeline, engine=choice.engine), (by_rules, *choice.usage))


def order_events(
    events: Sequence[EventCandidate], bounds: TimelineBounds, time_range: TimeRange | None = None
) -> TimelineAssembly:
    """Merge duplicates among the events that are relevant and lie in the range, and order them by time."""
    relevant = [event for event in events if event.relevance > 0]
    fitting = [each for each in relevant if time_range is None or lies_within(days_of(each.start), time_range)]
    language = fitting[0].dated_sentence.language if fitting else ENGLISH
    signatures = signatures_of([event.description for event in fitting], language)
    distinct = merge_duplicates(fitting, signatures, bounds.duplicate)
    # A less precise date comes before the dates within it.
    # A news report opens with the latest event of its day.
    chronological = sorted(distinct, key=lambda pair: (pair[0].days.first, -pair[0].days.length, pair[0].lead))
    ordered = tuple(event for event, _ in chronological)
    conflicts = find_conflicts(ordered, [signature for _, signature in chronological], CONFLICT)
    return TimelineAssembly(ordered, tuple(conflicts))


def timeline_of(assembly: TimelineAssembly, bounds: TimelineBounds, max_events: int) -> Timeline:
    """Return the best `max_events` events of an assembly (0: those that fit) as a timeline."""
    events, conflicts = assembly.events, assembly.conflicts
    ids = _number(_best(events, conflicts, max_events or _fitting_count(events, bounds)))
    timeline_events = [events[position] for position in ids]
    return Timeline(
        tuple(_tell(timeline_events, list(ids.values()))),
        choose_granularity(timeline_events),
        tuple(
            DateConflict((ids[conflict.first], ids[conflict.second]), conflict.reason)
            for conflict in conflicts
            if conflict.first in ids and conflict.second in ids
        ),
    )


def _fitting_count(events: Sequence[EventCandidate], bounds: TimelineBounds) -> int:
    """Return how many events fit the question well enough to be included; of equals all are."""
    scores = sorted((event.score for event in events), reverse=True)
    best = max(scores, default=0.0)
    enough = sum(score >= MIN_SHARE * best for score in scores)
    weaker = min(sum(score >= FILL_SHARE * best for score in scores), ENOUGH_EVENTS)
    equals = scores.count(scores[weaker - 1]) + scores.index(scores[weaker - 1]) if weaker else 0
    return min(bounds.max_events, max(enough, equals))


def _best(events: Sequence[EventCandidate], conflicts: Sequence[CandidateConflict], count: int) -> set[int]:
    """Return the positions of the events to include; conflicting events are included together or not at all."""
    partners: dict[int, set[int]] = defaultdict(set)
    for conflict in conflicts:
        partners[conflict.first].add(conflict.second)
        partners[conflict.second].add(conflict.first)
    selection: set[int] = set()
    for position in sorted(range(len(events)), key=lambda position: -events[position].score):
        group = {position, *partners[position]}
        if len(selection | group) <= count:
            selection |= group
    return selection


def _number(positions: Iterable[int]) -> dict[int, str]:
    """Return the id of each event by its position, in order of time."""
    return {position: f"e{number}" for number, position in enumerate(sorted(positions), start=1)}


def _tell(events: Sequence[EventCandidate], ids: Sequence[str]) -> Iterator[TimelineEvent]:
    for event, event_id, picture in zip(events, ids, place_pictures(events), strict=True):
        yield TimelineEvent(
            event_id=event_id,
            text=event.text,
            start=event.start,
            precision=event.precision,
            end=event.end,
            date_text=event.date_text,
            sources=event.sources,
            image=picture,
            carried=event.carried,
            salience=event.score,
        )
