"""Describe the parts of an answer in words: citations, pictures, the events of a timeline."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from textwrap import shorten
from typing import Final

from cli.view.output import enum_word
from parley.context.v1 import answer_pb2, basics_pb2, timeline_pb2

OPENING: Final = 48
"""Characters of a paragraph's opening that identify it."""


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """A row of a timeline."""

    date: str
    text: str
    sources: str
    """Such as "[1] [4]"; document ids if the answer has no number for them."""
    important: bool
    """Whether it is one of the few events that the question is about."""


def citation(event: answer_pb2.Citation) -> str:
    """The verdict on a sentence."""
    verdict = enum_word(event, "verdict")
    numbers = " ".join(f"[{number}]" for number in cited_numbers([event]))
    words = f"sentence {event.sentence} {'unchecked' if verdict == 'unspecified' else verdict}"
    words += f" by {numbers}" if numbers and verdict == "verified" else f" {numbers}" if numbers else ""
    return f"{words}: {event.reason}" if event.reason and verdict != "verified" else words


def cited_numbers(citations: Iterable[answer_pb2.Citation]) -> list[int]:
    """The numbers of the references that sentences cite, each once, in ascending order."""
    return sorted({span.number for citation in citations for span in citation.references if span.number > 0})


def image(placement: answer_pb2.PlacedImage, text: str) -> str:
    """A picture, its address, and the opening of the paragraph that it is placed beside."""
    paragraphs = text.split("\n\n")
    opening = paragraphs[placement.paragraph - 1] if 0 < placement.paragraph <= len(paragraphs) else ""
    position = f"beside “{shorten(opening.replace('*', ''), OPENING, placeholder=' …')}”" if opening else ""
    where = f"({placement.image.url or placement.document_id})" if placement.image.url or placement.document_id else ""
    return " ".join(part for part in (placement.image.caption or "a picture", where, position) if part)


def fit(placement: answer_pb2.PlacedImage) -> str:
    """A picture's id, its paragraph's number, and its score with the method of comparison."""
    method = enum_word(placement, "compared_by")
    by = f"{placement.score:.2f} by {method}" if method != "unspecified" else f"{placement.score:.2f}"
    return f"{placement.image.image_id}, paragraph {placement.paragraph}, {by}"


def timeline_row(event: timeline_pb2.TimelineEvent, numbers: Mapping[str, int]) -> TimelineRow:
    """An event as a row of the timeline; `numbers` are those of the answer's passages."""
    return TimelineRow(when(event), event.text, _sources(event, numbers), bool(event.highlights))


def _sources(event: timeline_pb2.TimelineEvent, numbers: Mapping[str, int]) -> str:
    """The sources of an event: the answer's reference numbers if it has them, else document ids."""
    known_numbers = sorted({numbers[source.passage_id] for source in event.sources if source.passage_id in numbers})
    if known_numbers:
        return " ".join(f"[{number}]" for number in known_numbers)
    return " ".join(sorted({f"({source.document_id})" for source in event.sources if source.document_id}))


def unit(timeline: timeline_pb2.Timeline) -> str:
    """The unit of a timeline, such as "month"; empty if it has none."""
    name = enum_word(timeline, "granularity")
    return "" if name == "unspecified" else name


def when(event: timeline_pb2.TimelineEvent) -> str:
    """An event's date, as precise as stated: 2008-05-25, 2008-05, 2008, 1990s, 19th century, spring 1998, 44 BCE."""
    start = _date(event.start, event.precision, event.date_text)
    if not event.HasField("end"):
        return start
    end = _date(event.end, event.precision, event.date_text)
    return start if end == start else f"{start} – {end}"


def _date(date: basics_pb2.PartialDate, precision: int, words: str) -> str:
    if precision == basics_pb2.PRECISION_DECADE and date.year > 0:
        return f"{date.year // 10 * 10}s"
    if precision == basics_pb2.PRECISION_CENTURY and date.year > 0:
        return f"{_ordinal((date.year - 1) // 100 + 1)} century"
    if precision == basics_pb2.PRECISION_SEASON and words:
        return words
    parts = [f"{date.year:04}" if date.year > 0 else f"{1 - date.year} BCE"]
    parts += [f"{part:02}" for part in (date.month, date.day) if part]
    return "-".join(parts)


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
