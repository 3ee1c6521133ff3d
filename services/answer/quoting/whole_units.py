"""What a unit is shown with, so that a reader who sees nothing else of its passage understands it.

An item comes with the line that introduces its list, a short list or table as a whole, a label (`Warning`) with what it
labels, code with the sentence before it, a pronoun with the sentence that has its noun. Pure functions.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import Final

from libs.contracts.structure import BlockKind
from services.answer.quoting.standing import DEPENDS, NEEDS
from services.answer.quoting.units import Unit

SHORT_LIST: Final = 100
"""Maximum words of a list, table or block of code that is quoted whole."""
LEANS: Final = 0.0
"""Below this a sentence comes with the one before it if there is room (.3: whole answers .01 less)."""
MOST: Final = 100
"""Units that are shown together; more are no answer (taste)."""
LISTS: Final = (BlockKind.LIST, BlockKind.DEFINITION)


class WholeUnits:
    """The units of one passage, in text order."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = units
        self._positions = {unit.place: position for position, unit in enumerate(units)}
        self._blocks: dict[int, list[int]] = {}
        for position, unit in enumerate(units):
            self._blocks.setdefault(unit.block, []).append(position)

    def least(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the units without which this one is not understood, with itself; none if one of them is not there.

        They are in text order.
        """
        return self._company(self._positions[unit.place], whole=False)

    def whole(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the least and, for an item of a short list or a row of a small table, all of it."""
        return self._company(self._positions[unit.place], whole=True)

    def _company(self, position: int, whole: bool) -> tuple[Unit, ...]:
        unit = self._units[position]
        members = {position, *islice(self._before(position, LEANS if whole else DEPENDS), MOST)}
        if whole and unit.kind in (*LISTS, BlockKind.TABLE):
            block = self._blocks[unit.block]
            members.update(block if self._words(block) <= SHORT_LIST else ())
        if self._units[min(members)].standing < NEEDS:
            return ()
        while self._units[last := max(members)].introduces:
            following = self._following(last)
            if not following or len(members) > MOST:
                return ()
            members.update(following)
        return tuple(self._units[member] for member in sorted(members))

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
        for other in range(position - 1, self._blocks[unit.block][0] - 1, -1):
            candidate = self._units[other]
            is_of_item = unit.continues and candidate.part == unit.part
            if not (depth or is_of_item):
                return
            if is_of_item or (candidate.depth < depth and not candidate.continues):
                yield other
                depth = min(depth, candidate.depth)

    def _leading(self, position: int, standing: float) -> Sequence[int]:
        """Return the positions of the sentence, or of the block, that must precede a unit."""
        unit, first = self._units[position], self._blocks[self._units[position].block][0]
        leading = self._units[position - 1]
        if position > first and (unit.standing < standing or leading.introduces):
            return (position - 1,)
        if not first:
            return ()
        leading = self._units[first - 1]
        is_prose = leading.kind is BlockKind.PARAGRAPH
        if leading.introduces or (is_prose and unit.kind in (BlockKind.CODE, *LISTS)):
            return (first - 1,)
        if position > first or unit.standing >= DEPENDS:
            return ()
        block = self._blocks[leading.block]
        if leading.kind in (*LISTS, BlockKind.TABLE):
            return block if self._words(block) <= SHORT_LIST else ()
        return (first - 1,)

    def _following(self, position: int) -> Sequence[int]:
        """Return the positions of what a unit introduces: a short list, an item, or a sentence."""
        unit = self._units[position]
        after = self._blocks[unit.block][self._blocks[unit.block].index(position) + 1 :]
        nested = list(takewhile(lambda other: self._units[other].depth > unit.depth, after))
        if after and not nested and unit.kind not in LISTS:
            return after[:1]
        block = nested or self._blocks.get(unit.block + 1, []) * (not after)
        is_list = bool(block) and self._units[block[0]].kind in (*LISTS, BlockKind.TABLE)
        return block if is_list and self._words(block) <= SHORT_LIST else block[:1]

    def _words(self, positions: Sequence[int]) -> int:
        return sum(self._units[position].words for position in positions)
