"""Structures and blocks as the corpus stores them: arrays in JSON, compressed for a structure. Pure functions.

Reading raises zlib.error, ValueError or IndexError where the content is damaged.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any, Final

from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind, CellRange, Part, Section, Structure

_KINDS: Final = tuple(BlockKind)
"""A kind is stored as its place here, so new kinds are added at the end of BlockKind and none is taken away."""
_COMPRESSION: Final = 6  # zlib's own default, fixed so that equal structures give equal bytes


def structure_bytes(structure: Structure) -> bytes:
    """A document's structure as bytes; equal structures give equal bytes."""
    sections = [[s.heading, s.level, s.parent, s.start, s.page] for s in structure.sections]
    blocks = [[*_block(block), block.section, block.page] for block in structure.blocks]
    return zlib.compress(_short([sections, blocks]).encode(), _COMPRESSION)


def structure_from(content: bytes) -> Structure | None:
    """A document's structure from bytes; None if they are empty."""
    if not content:
        return None
    sections, blocks = json.loads(zlib.decompress(content))
    return Structure(
        tuple(Section(*section) for section in sections),
        tuple(_read(block[:-2], section=block[-2], page=block[-1]) for block in blocks),
    )


def blocks_text(blocks: Sequence[Block]) -> str:
    """A passage's blocks as text; empty for none. Section and page are not stored, and are 0 when read."""
    return _short([_block(block) for block in blocks]) if blocks else ""


def blocks_from(text: str) -> tuple[Block, ...]:
    """A passage's blocks from text."""
    return tuple(_read(block) for block in json.loads(text)) if text else ()


def _block(block: Block) -> list[Any]:
    parts = [[part.span.start, part.span.end, part.depth, *filter(None, [part.row])] for part in block.parts]
    header = [block.header.start, block.header.end] if block.header is not None else 0  # 0: none
    cells = astuple(block.cells) if block.cells is not None else 0
    more = [cells, 1] if block.partial else [cells] if cells else []
    return [_KINDS.index(block.kind), block.span.start, block.span.end, header, parts, *more]


def _read(fields: Sequence[Any], section: int = 0, page: int = 0) -> Block:
    kind, start, end, header, parts, *more = fields  # cells of a sheet, and whether it is partial
    return Block(
        _KINDS[kind],
        Span(start, end),
        section,
        tuple(Part(Span(first, last), *more) for first, last, *more in parts),
        Span(*header) if header else None,
        page,
        CellRange(*more[0]) if more and more[0] else None,
        len(more) > 1,
    )


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
