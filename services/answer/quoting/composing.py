"""Compose an answer from chosen units: sections in rank order, each under its title and headings.

Within a section, units are in document order. List items and table rows are on separate lines, after the line that
introduces them and the table's header. Each section has one reference number. Pure functions.
"""

from collections.abc import Iterator, Sequence

from libs.contracts.evidence import Section
from libs.contracts.spans import Span
from libs.contracts.structure import BlockKind
from libs.text.citation_marks import escape_lookalikes
from services.answer.drafts import BLOCK, LINE, NOTHING, SPACE, WIDE_STOPS, DraftSentence, Paragraph, Quotation
from services.answer.locations import location_of
from services.answer.quoting.unit_rendering import DASH, ELLIPSIS, emphasise
from services.answer.quoting.unit_selection import ScoredUnit
from services.answer.quoting.units import PARTED, Unit


def compose(
    selection: Sequence[ScoredUnit],
    passages: Sequence[Sequence[Unit]],
    question_terms: frozenset[str] = frozenset(),
    *,
    marks: bool = True,
) -> tuple[Paragraph, ...]:
    """Return a paragraph per section, in the order of each section's best unit.

    Args:
        selection: the units to quote, best first.
        passages: all units of each passage, to find introducing lines.
        question_terms: terms of the question; a long path keeps the headings that contain one.
        marks: whether the best unit is emphasised.
    """
    sections: dict[Section, list[Unit]] = {}
    for scored_unit in selection:
        sections.setdefault(scored_unit.unit.passage.section, []).append(scored_unit.unit)
    best = selection[0].unit if marks and len(selection) > 1 else None
    return tuple(_paragraph(units, passages, best, question_terms) for units in sections.values())


def _paragraph(
    units: Sequence[Unit], passages: Sequence[Sequence[Unit]], best: Unit | None, question_terms: frozenset[str]
) -> Paragraph:
    units_in_order = sorted(units, key=lambda unit: (unit.passage.span.start, unit.passage.passage_id, unit.span.start))
    passage = units_in_order[0].passage
    return (
        DraftSentence(f"**{escape_lookalikes(location_of(passage, question_terms))}**", headed_passage=passage),
        *_sentences(units_in_order, passages, best),
    )


def _sentences(
    units_in_order: Sequence[Unit], passages: Sequence[Sequence[Unit]], best: Unit | None
) -> Iterator[DraftSentence]:
    before: Unit | None = None
    texts = {unit.text for unit in units_in_order}
    for unit in units_in_order:
        continues = before is not None and _block_of(before) == _block_of(unit)
        has_header = False
        if not continues:
            opening = [sentence for sentence in _opening(unit, passages) if sentence.text not in texts]
            texts |= {sentence.text for sentence in opening}
            has_header = bool(opening) and unit.kind is BlockKind.TABLE
            yield from opening
        text = emphasise(unit.text, unit.kind) if unit is best else unit.text
        gap = _gap(unit, before if continues else None, has_header)
        yield _quotation_sentence(
            unit, unit.span, f"{DASH} {ELLIPSIS} {text}" if unit.continues and gap != SPACE else text, gap
        )
        before = unit


def _opening(unit: Unit, passages: Sequence[Sequence[Unit]]) -> Iterator[DraftSentence]:
    """Yield what must precede the first unit of a block: its introducing line and its table's header."""
    lead = _lead(unit, passages)
    if lead is not None:
        yield _quotation_sentence(lead, lead.span, lead.text, BLOCK)
    if unit.header is not None and unit.header != unit.span:
        header = "\n".join(line.strip() for line in unit.header.of(unit.passage.text).split("\n"))
        header = escape_lookalikes(header)
        yield _quotation_sentence(unit, unit.header, header, BLOCK)


def _gap(unit: Unit, before: Unit | None, has_header: bool) -> str:
    """Return the separator before a unit; `before` is the previous unit if it is in the same block."""
    if unit.kind is BlockKind.CODE or (before is None and not has_header):
        return BLOCK
    goes_on = unit.continues and before is not None and before.part == unit.part
    if unit.kind in PARTED and not goes_on:
        return LINE
    return NOTHING if before is not None and before.text.endswith(WIDE_STOPS) else SPACE


def _block_of(unit: Unit) -> tuple[str, int]:
    return unit.passage.passage_id, unit.block


def _lead(unit: Unit, passages: Sequence[Sequence[Unit]]) -> Unit | None:
    """Return the unit that introduces this unit's block; None if there is none."""
    passage_units = next(
        (units for units in passages if units and units[0].passage.passage_id == unit.passage.passage_id), ()
    )
    return next((other for other in passage_units if other.block == unit.block - 1 and other.introduces), None)


def _quotation_sentence(unit: Unit, span: Span, text: str, gap: str) -> DraftSentence:
    return DraftSentence(text, Quotation(unit.reference, span), gap=gap)
