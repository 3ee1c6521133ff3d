"""Describe the parts of an answer in words: citations, sources, pictures, events of a timeline. Prints nothing."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Final

from cli.view.output import enum_word
from libs.chronology.export.words import ordinal
from parley.context.v1 import answer_pb2, basics_pb2, evidence_pb2, timeline_pb2

OPENING: Final = 48
"""Characters of a paragraph's opening that identify it (taste)."""
STEP: Final = " › "


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """A row of a timeline."""

    date: str
    text: str
    sources: str
    """Such as "[1] [4]"; document ids if the answer has no number for them."""
    important: bool
    """Whether it is one of the few events that the question is about."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A numbered source of the answer: a section of a document."""

    number: int
    where: str
    """Title, headings and pages, such as "Handbook › Leave › Sick leave, p. 12"."""
    origin: str
    """Address or id of the document; empty if `where` begins with the id."""
    date: str = ""
    """The document's date; empty if it is not shown."""


def citation(event: answer_pb2.Citation) -> str:
    """The verdict on a sentence."""
    verdict = enum_word(event, "verdict", "unchecked")
    numbers = " ".join(f"[{number}]" for number in cited_numbers([event]))
    words = f"sentence {event.sentence} {verdict}"
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
    method = enum_word(placement, "compared_by", "")
    by = f"{placement.score:.2f} by {method}" if method else f"{placement.score:.2f}"
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
        return f"{ordinal((date.year - 1) // 100 + 1)} century"
    if precision == basics_pb2.PRECISION_SEASON and words:
        return words
    parts = [f"{date.year:04}" if date.year > 0 else f"{1 - date.year} BCE"]
    parts += [f"{part:02}" for part in (date.month, date.day) if part]
    return "-".join(parts)


def sources_of(
    references: Sequence[evidence_pb2.Reference],
    numbers: Collection[int],
    spans: Collection[answer_pb2.CitedSpan],
    *,
    with_dates: bool,
) -> list[SourceLine]:
    """Return one source per cited number, in ascending order; skip numbers that no reference has.

    Args:
        references: the references of the answer; those of one section share a number.
        numbers: the cited numbers.
        spans: what is cited, whose pages or cells are shown.
        with_dates: whether the dates of documents are shown.
    """
    sections: dict[int, list[evidence_pb2.Passage]] = {}
    for reference in references:
        if reference.number in numbers:
            sections.setdefault(reference.number, []).append(reference.evidence.passage)
    return [_source(number, sections[number], spans, with_dates) for number in sorted(sections)]


def _source(
    number: int, section: Sequence[evidence_pb2.Passage], spans: Collection[answer_pb2.CitedSpan], with_date: bool
) -> SourceLine:
    first, names = section[0], {passage.passage_id for passage in section}
    cited_spans = [span for span in spans if span.passage_id in names]
    cited = {span.passage_id for span in cited_spans} or {first.passage_id}
    pages = pages_of(passage.page for passage in section if passage.passage_id in cited)
    cells = ", ".join(dict.fromkeys(span.cells for span in cited_spans if span.cells))
    place, origin = place_of(first), first.url or first.document_id
    where = ", ".join(filter(None, (place, pages, cells)))
    return SourceLine(number, where, "" if origin == place else origin, first.date if with_date else "")


def place_of(passage: evidence_pb2.Passage) -> str:
    """Title and headings, such as `Handbook › Leave › Sick leave`; the document's id if it has no title."""
    path = dict.fromkeys((passage.title or passage.document_id, *passage.headings))
    return STEP.join(part for part in path if part)


def pages_of(pages: Iterable[int]) -> str:
    """Such as "p. 12" or "pp. 12, 14"; empty if no page is known."""
    numbers = sorted({page for page in pages if page > 0})
    if not numbers:
        return ""
    return f"{'p.' if len(numbers) == 1 else 'pp.'} {', '.join(map(str, numbers))}"


def numbers_of_passages(references: Iterable[evidence_pb2.Reference]) -> dict[str, int]:
    """Return the number of each passage and near duplicate."""
    numbers: dict[str, int] = {}
    for reference in references:
        numbers[reference.evidence.passage.passage_id] = reference.number
        for duplicate in reference.evidence.near_duplicates:
            numbers.setdefault(duplicate.passage.passage_id, reference.number)
    return numbers
