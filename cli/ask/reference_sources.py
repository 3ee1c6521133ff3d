"""What an answer's numbers refer to: sections of documents, with their origins."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from parley.context.v1 import evidence_pb2

STEP: Final = " › "


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


def sources_of(
    references: Sequence[evidence_pb2.Reference],
    numbers: Collection[int],
    passages: Collection[str],
    *,
    with_dates: bool,
) -> list[SourceLine]:
    """Return one source per cited number, in ascending order; skip numbers that no reference has.

    Args:
        references: the references of the answer; those of one section share a number.
        numbers: the cited numbers.
        passages: ids of the cited passages, whose pages are shown.
        with_dates: whether the dates of documents are shown.
    """
    sections: dict[int, list[evidence_pb2.Passage]] = {}
    for reference in references:
        if reference.number in numbers:
            sections.setdefault(reference.number, []).append(reference.evidence.passage)
    return [_source(number, sections[number], passages, with_dates) for number in sorted(sections)]


def _source(
    number: int, section: Sequence[evidence_pb2.Passage], passages: Collection[str], with_date: bool
) -> SourceLine:
    first = section[0]
    cited_passages = [passage for passage in section if passage.passage_id in passages] or [first]
    place, origin = place_of(first), first.url or first.document_id
    where = ", ".join(filter(None, (place, pages_of(passage.page for passage in cited_passages))))
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
