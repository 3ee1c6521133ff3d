"""What a unit is shown with, so that a reader who sees nothing else of its passage understands it.

An item comes with the line that introduces its list, a short list or table as a whole, a label (`Warning`) with what it
labels, code with the sentence before it and a sentence with the code below it, a pronoun with the sentence that has its
noun, a later sentence with its paragraph from the beginning. Pure functions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice, takewhile
from typing import Final

from libs.contracts.evidence import Passage
from libs.contracts.structure import BlockKind
from services.answer.quoting.standing import DEPENDS, GOES_ON, STANDS
from services.answer.quoting.units import Unit

SHORT_LIST: Final = 100
"""Maximum words of a list, table or block of code that is quoted whole."""
APART: Final = 4
"""Most characters between two passages of a section of which one follows the other (empty lines)."""
LEANS: Final = -0.4  # below this a sentence comes with the one before it at once (9: whole answers .004 less)
MOST: Final = 100
"""Units that are shown together; more are no answer (taste)."""
LISTS: Final = (BlockKind.LIST, BlockKind.DEFINITION)


class WholeUnits:
    """The units of a passage, or of passages of a section that follow one another, in text order."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = units
        self._positions = {unit.place: position for position, unit in enumerate(units)}
        self._blocks: list[Sequence[int]] = []
        for _, block in groupby(
            range(len(units)), key=lambda position: (units[position].passage.passage_id, units[position].block)
        ):
            positions = list(block)
            self._blocks += [positions] * len(positions)

    def least(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the units without which this one is not understood, with itself; none if one of them is not there.

        They are in text order.
        """
        return self._company(self._positions[unit.place])

    def whole(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the least and, for an item of a short list or a row of a small table, all of it, and code below."""
        return self._company(self._positions[unit.place], LEANS, whole=True)

    def opened(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the least and the beginning of the unit's paragraph."""
        return self._company(self._positions[unit.place], STANDS)

    def _company(self, position: int, standing: float = DEPENDS, *, whole: bool = False) -> tuple[Unit, ...]:
        """Return a unit with others; a sentence that stands less comes with the one before it in its paragraph."""
        members = {position, *islice(self._before(position, standing), MOST)}
        if whole and self._units[position].kind in (*LISTS, BlockKind.TABLE):
            block = self._blocks[position]
            members.update(block if self._words(block) <= SHORT_LIST else ())
        if self._units[min(members)].standing == GOES_ON:
            return ()
        while self._units[last := max(members)].introduces:
            following = self._following(last)
            if not following or len(members) > MOST:
                return ()
            members.update(following)
        if whole:
            members.update(self._shown_after(max(members)))
        return tuple(self._units[member] for member in sorted(members))

    def _shown_after(self, position: int) -> Sequence[int]:
        """Return the positions of the short list or code that stands directly below a paragraph's last sentence."""
        unit, below = self._units[position], self._blocks[position][-1] + 1
        if unit.kind is not BlockKind.PARAGRAPH or below - 1 > position or below == len(self._units):
            return ()
        block = self._blocks[below]
        is_shown = self._units[below].kind in (BlockKind.CODE, *LISTS) and self._words(block) <= SHORT_LIST
        return block if is_shown else ()

    def _before(self, position: int, standing: float) -> Iterator[int]:
        """Yield the positions of what must precede a unit: the rest of its item, its parents, its introduction."""
        needed: Sequence[int] = (position,)
        while needed:
            yield from self._of_item(needed[0])
            needed = self._leading(needed[0], standing)
            yield from needed

    def _of_item(self, position: int) -> Iterator[int]:
        """Yield the positions of the rest of a unit's item and of its parents, the nearest first."""
        unit = self._units[position]
        depth = unit.depth
        for other in range(position - 1, self._blocks[position][0] - 1, -1):
            candidate = self._units[other]
            is_of_item = unit.continues and candidate.part == unit.part
            if not (depth or is_of_item):
                return
            if is_of_item or (candidate.depth < depth and not candidate.continues):
                yield other
                depth = min(depth, candidate.depth)

    def _leading(self, position: int, standing: float) -> Sequence[int]:
        """Return the positions of the sentence, or of the block, that must precede a unit."""
        unit, first = self._units[position], self._blocks[position][0]
        if position > first and (unit.standing < standing or self._units[position - 1].introduces):
            return (position - 1,)
        if not first:
            return ()
        leading = self._units[first - 1]
        is_prose = leading.kind is BlockKind.PARAGRAPH
        if leading.introduces or (is_prose and unit.kind in (BlockKind.CODE, *LISTS)):
            return (first - 1,)
        if position > first or unit.standing >= DEPENDS:
            return ()
        block = self._blocks[first - 1]
        if leading.kind in (*LISTS, BlockKind.TABLE):
            return block if self._words(block) <= SHORT_LIST else ()
        return (first - 1,)

    def _following(self, position: int) -> Sequence[int]:
        """Return the positions of what a unit introduces: a short list, an item, or a sentence."""
        unit = self._units[position]
        after = range(position + 1, self._blocks[position][-1] + 1)
        nested = list(takewhile(lambda other: self._units[other].depth > unit.depth, after))
        if after and not nested and unit.kind not in LISTS:
            return after[:1]
        is_last = not after and after.stop < len(self._units)
        block = nested or (self._blocks[after.stop] if is_last else ())
        is_list = bool(block) and self._units[block[0]].kind in (*LISTS, BlockKind.TABLE)
        return block if is_list and self._words(block) <= SHORT_LIST else block[:1]

    def _words(self, positions: Sequence[int]) -> int:
        return sum(self._units[position].words for position in positions)


def whole_units_by_place(units: Iterable[Unit]) -> Mapping[tuple[str, int, int], WholeUnits]:
    """Return for each unit's place those that it is shown with, of passages of its section that follow one another."""
    ordered = by_section(units)
    starts = [at for at, unit in enumerate(ordered) if not at or not follows(unit.passage, ordered[at - 1].passage)]
    runs = [ordered[start:end] for start, end in zip(starts, (*starts[1:], len(ordered)), strict=True)]
    return {unit.place: whole_units for run in runs for whole_units in [WholeUnits(run)] for unit in run}


def by_section(units: Iterable[Unit]) -> Sequence[Unit]:
    """Return the units by sections, in the order of each section's text."""
    return sorted(units, key=lambda unit: (*map(str, unit.passage.section), unit.passage.span.start, unit.place))


def follows(passage: Passage, earlier: Passage) -> bool:
    """Whether a passage is the same or the next one of its section."""
    is_next = 0 < earlier.span.end <= passage.span.start <= earlier.span.end + APART
    return passage.passage_id == earlier.passage_id or (is_next and passage.section == earlier.section)
