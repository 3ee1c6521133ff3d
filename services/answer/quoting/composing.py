"""Compose an answer from chosen units: sections in rank order, each under its title and headings.

Within a section, units are in document order. List items and table rows are on separate lines, rows after their table's
header; a list or table that is not shown whole says how many items or rows are missing. Each section has one reference
number. Pure functions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from libs.contracts.evidence import Section
from libs.contracts.structure import BlockKind
from libs.text.citation_marks import escape_lookalikes
from services.answer.citing.drafts import BLOCK, LINE, NOTHING, SPACE, WIDE_STOPS, DraftSentence, Paragraph, Quotation
from services.answer.citing.locations import location_of
from services.answer.quoting.unit_rendering import emphasise, lacking_marks, render_row
from services.answer.quoting.unit_selection import wording
from services.answer.quoting.units import PARTED, Unit
from services.answer.quoting.whole_units import LISTS

_Block: TypeAlias = tuple[str, int]
"""A passage, and the index of a block in it."""


def compose(
    selection: Sequence[Unit],
    passages: Sequence[Sequence[Unit]],
    question_terms: frozenset[str] = frozenset(),
    *,
    answer: Unit | None = None,
    more: str = "",
) -> tuple[Paragraph, ...]:
    """Return a paragraph per section, in the order of each section's best unit.

    Args:
        selection: the units to quote, best first.
        passages: all units of each passage, to count a list's items.
        question_terms: terms of the question; a long path keeps the headings that contain one.
        answer: the unit to mark as the answer.
        more: says how many items of a list are not shown, with `{count}`.
    """
    sections: dict[Section, list[Unit]] = {}
    for unit in selection:
        sections.setdefault(unit.passage.section, []).append(unit)
    items = _items(unit for units in passages for unit in units)
    items.subtract(_items(selection))
    missing = {block: more.format(count=count) for block, count in items.items() if count and more}
    return tuple(_paragraph(units, answer, question_terms, missing) for units in sections.values())


def _items(units: Iterable[Unit]) -> Counter[_Block]:
    """Count the items of each list, and the rows of each table, that the units are of."""
    items = {(_block_of(unit), unit.part) for unit in units if unit.kind in (*LISTS, BlockKind.TABLE)}
    return Counter(block for block, _ in items)


def _paragraph(
    units: Sequence[Unit], answer: Unit | None, question_terms: frozenset[str], missing: Mapping[_Block, str]
) -> Paragraph:
    in_order = sorted(units, key=lambda unit: (unit.passage.span.start, unit.passage.passage_id, unit.span.start))
    by_wording: dict[str, Unit] = {}
    for unit in in_order:
        by_wording.setdefault(wording(unit), unit)
    units_in_order = list(by_wording.values())
    passage = units_in_order[0].passage
    heading = DraftSentence(f"**{escape_lookalikes(location_of(passage, question_terms))}**", headed_passage=passage)
    sentences = [heading]
    headers: set[str] = set()
    for key, block in groupby(units_in_order, key=_block_of):
        sentences += _sentences(list(block), answer, missing.get(key, ""), headers)
    return tuple(sentences)


def _sentences(block: Sequence[Unit], answer: Unit | None, missing: str, headers: set[str]) -> Iterator[DraftSentence]:
    """Yield the sentences of one block, the last one with a note of what is `missing`.

    `headers` are those of tables above, of which this one may be a further part; its own is added.
    """
    header = block[0].header
    has_header = header is not None and header != block[0].span
    if header is not None and has_header:
        lines = "\n".join(line.strip() for line in header.of(block[0].passage.text).split("\n"))
        lines = render_row(lines) if "|" in lines else lines
        if lines not in headers:
            yield DraftSentence(escape_lookalikes(lines), Quotation(block[0].reference, header), gap=BLOCK)
        headers.add(lines)
    for before, unit, shown in zip((None, *block), block, _texts(block), strict=False):
        text = emphasise(shown, unit.kind) if unit is answer else shown
        note = f"{BLOCK}{missing}" if missing and unit is block[-1] else ""
        gap = _gap(unit, before, has_header, is_after_mark=before is not None and before is answer)
        yield DraftSentence(text, unit, gap=gap, note=note, answers=unit is answer)


def _texts(block: Sequence[Unit]) -> Sequence[str]:
    """Return the units' texts; what somebody says, and is quoted in part, ends with a quotation mark."""
    texts = [unit.text for unit in block]
    if block[-1].kind not in (*PARTED, BlockKind.CODE):
        texts[-1] += lacking_marks(" ".join(texts))
    return texts


def _gap(unit: Unit, before: Unit | None, has_header: bool, is_after_mark: bool) -> str:
    """Return the separator before a unit; `before` is the previous unit of its block, which may be marked.

    After a mark there is a space in every script: CommonMark reads `**旧。**磨` as no emphasis.
    """
    if unit.kind is BlockKind.CODE or (before is None and not has_header):
        return BLOCK
    goes_on = unit.continues and before is not None and before.part == unit.part
    if unit.kind in PARTED and not goes_on:
        return LINE
    return NOTHING if before is not None and not is_after_mark and before.text.endswith(WIDE_STOPS) else SPACE


def _block_of(unit: Unit) -> _Block:
    return unit.passage.passage_id, unit.block
