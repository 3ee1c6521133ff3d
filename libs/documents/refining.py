"""Marks tables of contents, indexes and lists of sources as furniture, for every format."""

from collections import defaultdict
from dataclasses import replace
from typing import Final

from libs.contracts.structure import Block, BlockKind, Structure
from libs.documents.furniture import is_contents_line, is_index
from libs.documents.furniture_headings import FurnitureSection, are_sources, furniture_section

_ENTRIES: Final = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.QUOTATION, BlockKind.CODE, BlockKind.TABLE})


def mark_furniture(structure: Structure, text: str) -> Structure:
    """Return the structure with contents, indexes and lists of sources marked as furniture."""
    pointing = {
        position: kind
        for position, section in enumerate(structure.sections)
        if position > 0 and (kind := furniture_section(section.heading)) is not None
    }
    if not pointing:
        return structure
    blocks: dict[int, list[Block]] = defaultdict(list)
    for block in structure.blocks:
        blocks[block.section].append(block)
    furniture = {section for section, kind in pointing.items() if _only_points(kind, blocks[section], text)}
    return replace(
        structure,
        blocks=tuple(
            replace(block, kind=BlockKind.FURNITURE) if block.section in furniture and block.kind in _ENTRIES else block
            for block in structure.blocks
        ),
    )


def _only_points(kind: FurnitureSection, blocks: list[Block], text: str) -> bool:
    """Whether a section holds only what its heading announces: page references or sources."""
    lines = [line for block in blocks for line in block.span.of(text).split("\n") if line.strip()]
    if kind is FurnitureSection.CONTENTS:
        return sum(map(is_contents_line, lines)) >= 0.5 * len(lines)
    if kind is FurnitureSection.INDEX:
        return is_index(lines)
    if any(block.kind is BlockKind.TABLE for block in blocks):  # a table describes each work: data, not pointers
        return False
    spans = [span for block in blocks for span in ([part.span for part in block.parts] or [block.span])]
    return are_sources([span.of(text) for span in spans])
