"""The candidate list: numbered sentences, selected by the rules, from which a language model chooses events.

It contains the sentences of the best events by rules without duplicates, each preceded by the sentence that it may
refer to (`It landed …`), grouped by document and limited to the bounds. Numbers that name no source are chosen by hand.
Pure functions.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from libs.contracts.timeline import EventSource
from libs.llm.evidence import DataBlock, DataItem
from libs.text.sentences import Sentence
from services.timeline.conflicts import TimelineAssembly
from services.timeline.duplicates import are_compatible
from services.timeline.extraction.event_text import as_event_text
from services.timeline.extraction.events import EventCandidate
from services.timeline.reading.merged_passages import MergedPassage

_Key: TypeAlias = tuple[str, int]
"""The first passage of the merged passage, and the start of the sentence in the merged text."""
_WIDEST_GAP = 2
"""Maximum characters between a sentence and the previous one to treat them as continuous text."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The limits of a model's prompt."""

    sentences: int = 60
    """Maximum number of dated sentences: three per requested event."""
    characters: int = 12_000
    """Maximum characters of all sentences together; about 3,000 tokens."""


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """A rule-based event of a sentence, and its position in the assembly; None if it is not in it (out of range)."""

    event: EventCandidate
    position: int | None
    course_event: EventCandidate
    """The event at that position: this event with further sources, or the event into which it was merged."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the list and its rule-based events; none if it is only context for the next sentence."""

    number: int
    sentence: Sentence
    merged_passage: MergedPassage
    dated_events: tuple[DatedEvent, ...] = ()

    @property
    def text(self) -> str:
        """The sentence on one line, without citations and markup."""
        return as_event_text(self.sentence.text, self.merged_passage.language)

    def leads_to(self, other: "Line") -> bool:
        """Whether it directly precedes the other one."""
        gap = other.sentence.start - self.sentence.end
        return self.merged_passage is other.merged_passage and 0 <= gap <= _WIDEST_GAP


@dataclass(frozen=True, slots=True)
class CandidateList:
    """The lines, numbered from 1 and grouped by document."""

    lines: tuple[Line, ...]

    def at(self, number: int) -> Line | None:
        """Return the line with that number, or None."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else None

    def block(self) -> DataBlock:
        """Return the data block for the prompt: an item for each document, with its title and date."""
        documents: dict[str, list[Line]] = defaultdict(list)
        for line in self.lines:
            documents[line.merged_passage.passage.document_id].append(line)
        return DataBlock([_item(number, lines) for number, lines in enumerate(documents.values(), start=1)])


def _item(number: int, lines: Sequence[Line]) -> DataItem:
    dates = [dated_event.event.dated_sentence.written_on for line in lines for dated_event in line.dated_events]
    head = [f"Written: {dates[0]}"] if dates and dates[0] else []
    text = "\n".join([*head, *(f"[{line.number}] {line.text}" for line in lines)])
    return DataItem(number, text, lines[0].merged_passage.passage.title)


def list_candidates(all_events: Sequence[EventCandidate], assembly: TimelineAssembly, reach: Reach) -> CandidateList:
    """Return the candidate list for the assembled events.

    Args:
        all_events: all events by rules, in the order of the documents.
        assembly: the events that may be included, without duplicates.
        reach: the limits.
    """
    by_sentence: dict[_Key, list[EventCandidate]] = defaultdict(list)
    for event in all_events:
        by_sentence[_key(event.dated_sentence.merged_passage, event.dated_sentence.sentence)].append(event)
    selection = _select_sentences(assembly.events, reach)
    positions = _positions(assembly.events)
    lines: dict[_Key, tuple[Sentence, MergedPassage, tuple[DatedEvent, ...]]] = {}
    for key, events in by_sentence.items():
        if key in selection:
            merged_passage = events[0].dated_sentence.merged_passage
            before = selection[key]
            if before:
                lines.setdefault(_key(merged_passage, before), (before, merged_passage, ()))
            dated_events = tuple(_dated_event(event, assembly.events, positions) for event in events)
            lines[key] = (events[0].dated_sentence.sentence, merged_passage, dated_events)
    return CandidateList(
        tuple(
            Line(number, sentence, merged_passage, dated_events)
            for number, (sentence, merged_passage, dated_events) in enumerate(lines.values(), start=1)
        )
    )


def _key(merged_passage: MergedPassage, sentence: Sentence) -> _Key:
    return merged_passage.passage.passage_id, sentence.start


def _select_sentences(events: Sequence[EventCandidate], reach: Reach) -> dict[_Key, Sentence | None]:
    """Return the sentences of the best events, each with the previous sentence if that fits too."""
    selection: dict[_Key, Sentence | None] = {}
    room = reach.characters
    for event in sorted(events, key=lambda event: -event.score):
        sentence, merged_passage = event.dated_sentence.sentence, event.dated_sentence.merged_passage
        key, length = _key(merged_passage, sentence), len(sentence.text)
        if key in selection or length > room or len(selection) == reach.sentences:
            continue
        before = _before(merged_passage, sentence)
        fits = before is not None and length + len(before.text) <= room
        selection[key] = before if fits else None
        room -= length + (len(before.text) if before and fits else 0)
    return selection


def _before(merged_passage: MergedPassage, sentence: Sentence) -> Sentence | None:
    index = merged_passage.sentences.index(sentence)
    before = merged_passage.sentences[index - 1] if index else None
    return None if before is None or before.heading or sentence.start - before.end > _WIDEST_GAP else before


def _positions(events: Sequence[EventCandidate]) -> Mapping[EventSource, list[int]]:
    """Return the positions of the assembly's events by source."""
    positions: dict[EventSource, list[int]] = defaultdict(list)
    for position, event in enumerate(events):
        for source in event.sources:
            positions[source].append(position)
    return positions


def _dated_event(
    event: EventCandidate, events: Sequence[EventCandidate], positions: Mapping[EventSource, list[int]]
) -> DatedEvent:
    """Find the position of a rule-based event in the assembly."""
    candidates = positions.get(event.sources[0], [])
    same_days = [position for position in candidates if events[position].days == event.days]
    compatible = [position for position in candidates if are_compatible(events[position], event)]
    position = next(iter([*same_days, *compatible]), None)
    return DatedEvent(event, position, event if position is None else events[position])
