"""Finds contradictions: sentences of an answer that date an event unlike a timeline does. No I/O of its own."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from libs.chronology.days import are_disjoint, days_of
from libs.chronology.roles import Role, role_of
from libs.chronology.similarity import EventDescription, EventSignature, signatures_of, without_dates
from libs.contracts.timeline import Timeline, TimelineEvent
from libs.language.topics.grammar import EventVerbs
from libs.text.dates.document_dates import DateMention, find_dates

MIN_LIKENESS = 0.8
"""Cosine similarity of stems from which two dated sentences describe the same event (taste)."""
_MARKER = re.compile(r"(?:(?<!\s)\s++)?\[\d+\]")  # of a citation


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of an answer with its cited documents and quotes."""

    number: int
    text: str
    documents: frozenset[str]
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One event with two dates, each in its original words."""

    sentence: int
    event_id: str
    said: str
    """The date in the answer."""
    told: str
    """The date in the timeline."""


@dataclass(frozen=True, slots=True)
class _DatedSentence:
    """A sentence with the dates of its events."""

    sentence: AnswerSentence
    dates: tuple[DateMention, ...]
    borne_out: bool
    """Whether a cited quote contains one of its dates."""

    def agrees(self, event: TimelineEvent) -> bool:
        days = days_of(event.start, event.end)
        return any(not are_disjoint(days_of(date.first, date.last), days) for date in self.dates)


def recurs(text: str, language: str) -> bool:
    """Whether a sentence says that its event happens more than once."""
    return bool(EventVerbs.of(language).recurring.search(text))


def find_contradictions(sentences: Sequence[AnswerSentence], timeline: Timeline, language: str) -> list[Contradiction]:
    """Find sentences that describe an event of the timeline with dates that all differ from the event's days.

    Only dates with a year are compared, and only dates of events. If the timeline has a similar event on the sentence's
    date and another on a different date, the event happened twice, unless the timeline marks the two as a conflict. The
    same holds if the cited document gives both dates.

    Args:
        sentences: the sentences of the answer.
        timeline: the timeline of the same turn.
        language: the language of both, ISO 639-1.
    """
    dated_sentences = [
        dated_sentence for sentence in sentences if (dated_sentence := _read_dates(sentence, language)) is not None
    ]
    events = [event for event in timeline.events if _is_single_event(event, language)]
    signatures = signatures_of(
        [
            *(_telling_of_sentence(dated_sentence, language) for dated_sentence in dated_sentences),
            *(_telling_of_event(event, language) for event in events),
        ],
        language,
    )
    own, others = signatures[: len(dated_sentences)], signatures[len(dated_sentences) :]
    rivals = [frozenset(conflict.event_ids) for conflict in timeline.conflicts]
    return [
        contradiction
        for dated_sentence, signature in zip(dated_sentences, own, strict=True)
        for contradiction in _of_sentence(dated_sentence, _alike(signature, events, others), rivals)
    ]


def _of_sentence(
    dated_sentence: _DatedSentence, alike: Sequence[TimelineEvent], rivals: Sequence[frozenset[str]]
) -> Iterator[Contradiction]:
    agreeing = {event.event_id for event in alike if dated_sentence.agrees(event)}
    for event in alike:
        in_conflict = any(event.event_id in pair and agreeing & pair for pair in rivals)
        own_source = dated_sentence.borne_out and bool(
            dated_sentence.sentence.documents & {s.document_id for s in event.sources}
        )
        twice = bool(agreeing) or own_source
        if event.event_id not in agreeing and (in_conflict or not twice):
            yield Contradiction(
                dated_sentence.sentence.number, event.event_id, dated_sentence.dates[0].text, event.date_text
            )


def _alike(
    signature: EventSignature, events: Sequence[TimelineEvent], signatures: Sequence[EventSignature]
) -> list[TimelineEvent]:
    return [
        event
        for event, candidate in zip(events, signatures, strict=True)
        if signature.cosine(candidate) >= MIN_LIKENESS and not signature.contradicts(candidate)
    ]


def _read_dates(sentence: AnswerSentence, language: str) -> _DatedSentence | None:
    text = _MARKER.sub("", sentence.text).strip()
    dates = tuple(
        date for date in find_dates(text, language=language) if role_of(text, date, language=language) is Role.EVENT
    )
    if not dates or recurs(text, language) or text.endswith("?"):
        return None
    quoted_days = {date.first for quote in sentence.quotes for date in find_dates(quote, language=language)}
    plain = AnswerSentence(sentence.number, text, sentence.documents, sentence.quotes)
    return _DatedSentence(plain, dates, any(date.first in quoted_days for date in dates))


def _is_single_event(event: TimelineEvent, language: str) -> bool:
    """Whether it is an event that happened once, on a date stated in its own text."""
    if event.carried or not event.date_text or recurs(event.text, language):
        return False
    mentions = [date for date in find_dates(event.text, event.start, language=language) if date.text == event.date_text]
    return all(role_of(event.text, date, language=language) is Role.EVENT for date in mentions)


def _telling_of_sentence(dated_sentence: _DatedSentence, language: str) -> EventDescription:
    text = dated_sentence.sentence.text
    return EventDescription(
        without_dates(text, find_dates(text, language=language)), _subject(dated_sentence.sentence.documents)
    )


def _telling_of_event(event: TimelineEvent, language: str) -> EventDescription:
    words = without_dates(event.text, find_dates(event.text, language=language)).replace(event.date_text, "")
    return EventDescription(words, _subject(source.document_id for source in event.sources))


def _subject(documents: Iterable[str]) -> str:
    """The subject assumed for a sentence without names: the IDs of its documents."""
    return " ".join(sorted(set(documents)))
