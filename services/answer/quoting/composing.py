"""Compose an answer from chosen units: sections in rank order, each under its title and headings.

Within a section, units are in document order. List items and table rows are on separate lines, rows after their table's
header; a list or table that is not shown whole says how many items or rows are missing. Each section has one reference
number. Pure functions.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from libs.contracts.evidence import Section
from libs.contracts.structure import BlockKind
from libs.text.citation_marks import escape_lookalikes
from services.answer.citing.drafts import BLOCK, LINE, NOTHING, SPACE, WIDE_STOPS, DraftSentence, Paragraph, Quotation
from services.answer.citing.locations import ELLIPSIS, location_of
from services.answer.quoting.dependence import announces, without_marker
from services.answer.quoting.unit_rendering import emphasise, render_row
from services.answer.quoting.units import PARTED, Unit
from services.answer.quoting.whole_units import LISTS, by_section

_Block: TypeAlias = tuple[str, int]
"""A passage, and the index of a block in it."""
_Place: TypeAlias = tuple[str, int, int]


def compose(
    selection: Sequence[Unit],
    passages: Sequence[Sequence[Unit]],
    *,
    answer: Unit | None = None,
    more: str = "",
) -> tuple[Paragraph, ...]:
    """Return a paragraph per section, in the order of each section's best unit.

    Args:
        selection: the units to quote, best first.
        passages: all units of each passage, to count a list's items.
        answer: the unit to mark as the answer.
        more: says how many items of a list are not shown, with `{count}`.
    """
    sections: dict[Section, list[Unit]] = {}
    for unit in selection:
        sections.setdefault(unit.passage.section, []).append(unit)
    items = _items(unit for units in passages for unit in units)
    items.subtract(_items(selection))
    ends = _ends(selection, passages)
    return tuple(_paragraph(units, answer, items, ends, more) for units in sections.values())


def _items(units: Iterable[Unit]) -> Counter[_Block]:
    """Count the items of each list, and the rows of each table, that the units are of."""
    items = {(_block_of(unit), unit.part) for unit in units if unit.kind in (*LISTS, BlockKind.TABLE)}
    return Counter(block for block, _ in items)


def _ends(selection: Iterable[Unit], passages: Iterable[Sequence[Unit]]) -> frozenset[_Place]:
    """The places of the units after which their section goes on with one that is not shown."""
    shown, ordered = {unit.place for unit in selection}, by_section(unit for units in passages for unit in units)
    return frozenset(
        unit.place
        for unit, later in pairwise(ordered)
        if later.place not in shown and unit.passage.section == later.passage.section
    )


def _paragraph(
    units: Sequence[Unit], answer: Unit | None, missing: Mapping[_Block, int], ends: Container[_Place], more: str
) -> Paragraph:
    in_order = sorted(units, key=lambda unit: (unit.passage.span.start, unit.passage.passage_id, unit.span.start))
    by_text: dict[str, Unit] = {}
    for unit in in_order:
        by_text.setdefault(unit.text, unit)
    units_in_order = list(by_text.values())
    passage = units_in_order[0].passage
    heading = DraftSentence(f"**{escape_lookalikes(location_of(passage))}**", headed_passage=passage)
    sentences = [heading]
    blocks = list(_whole_blocks(units_in_order))
    for latest, block in zip((None, *blocks), blocks, strict=False):
        header = block[0].header
        if header is not None and header != block[0].span:
            sentences.append(DraftSentence(_header_text(block[0]), Quotation(block[0].reference, header), gap=BLOCK))
        before = latest[-1] if latest else None
        is_cut = before is not None and announces(before.text) and block[-1].place in ends
        note = _note(block, missing, more, is_cut=is_cut)
        sentences += _sentences(block, _texts(block, before), answer, note)
    return tuple(sentences)


def _note(block: Sequence[Unit], missing: Mapping[_Block, int], more: str, *, is_cut: bool) -> str:
    """Return what is said below a block that lacks items, if known how many, or text; empty if it is whole.

    `is_cut` if it is announced, and what is announced may go on below it.
    """
    is_text = block[-1].kind not in (*PARTED, BlockKind.CODE)
    if more and (any(unit.partial for unit in block) or (is_cut and is_text)):
        return f"{BLOCK}{ELLIPSIS}"
    count = sum(missing.get(part, 0) for part in {_block_of(unit) for unit in block})
    return f"{BLOCK}{more.format(count=count)}" if count and more else ""


def _whole_blocks(units: Iterable[Unit]) -> Iterator[Sequence[Unit]]:
    """Yield the units of each block; parts of a list or table in several passages, with nothing between, are one."""
    whole: list[Unit] = []
    for unit in units:
        if whole and not _is_same_block(whole[-1], unit):
            yield whole
            whole = []
        whole.append(unit)
    yield whole


def _is_same_block(unit: Unit, later: Unit) -> bool:
    is_part = unit.kind is later.kind and unit.kind in (*LISTS, BlockKind.TABLE) and unit.passage != later.passage
    return _block_of(unit) == _block_of(later) or (is_part and _header_text(unit) == _header_text(later))


def _header_text(unit: Unit) -> str:
    """The header of a unit's table as shown; empty for none."""
    if unit.header is None:
        return ""
    lines = "\n".join(line.strip() for line in unit.header.of(unit.passage.text).split("\n"))
    return escape_lookalikes(render_row(lines) if "|" in lines else lines)


def _sentences(block: Sequence[Unit], texts: Sequence[str], answer: Unit | None, note: str) -> Iterator[DraftSentence]:
    """Yield the sentences of one block, the last one with a note of what is missing."""
    has_header = block[0].header is not None and block[0].header != block[0].span
    for before, unit, shown in zip((None, *block), block, texts, strict=False):
        text = emphasise(shown, unit.kind) if unit is answer else shown
        gap = _gap(unit, before, has_header, is_after_mark=before is not None and before is answer)
        yield DraftSentence(text, unit, gap=gap, note=note if unit is block[-1] else "", answers=unit is answer)


def _texts(block: Sequence[Unit], latest: Unit | None) -> Sequence[str]:
    """Return the units' texts: without its own predecessor a sentence begins without `However,`.

    `latest` is the unit shown before the block.
    """
    return [
        unit.text if before and _is_next(unit, before) else without_marker(unit.text, unit.passage.language)
        for before, unit in pairwise((latest, *block))
        if unit is not None
    ]


def _is_next(unit: Unit, earlier: Unit) -> bool:
    """Whether nothing stands between two units in their document."""
    between = unit.passage.text[earlier.span.end : unit.span.start]
    return unit.passage == earlier.passage and not any(character.isalnum() for character in between)


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
