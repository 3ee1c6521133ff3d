"""The text of a mail: what its author wrote, and what is quoted or signed, which is furniture. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from libs.contracts.structure import Block, BlockKind, Structure
from libs.documents.building import DocumentBuilder
from libs.documents.plain import parse_plain

LONGEST: Final = 12
"""Lines of a signature; below more of them, the line is a mere divider (taste, three times the four of netiquette)."""
_QUOTED: Final = re.compile(r"((?:^[ \t]{0,3}>.*(?:\n|\Z))+)", re.MULTILINE)
_SIGNATURE: Final = re.compile(r"^--[ \xa0]?$", re.MULTILINE)
"""The line above a signature (RFC 3676); some programs strip its space."""
_DATE_OR_ADDRESS: Final = re.compile(r"[\d@]")
"""Before a colon: `On Monday, 4 March 2024, Ann <ann@example.org> wrote:` in any language."""
_HEADER: Final = re.compile(r"(?im)^\W{0,4}(?:from|to|cc|bcc|reply-to|sent|date|subject)(?:\W{0,4}):\s")
"""A header of a mail that is passed on or answered, as programs print it above its text (RFC 5322; Outlook)."""
HEADERS: Final = 3
"""Lines of such headers that make a block the head of a mail (taste)."""


def parse_mail(text: str) -> tuple[str, Structure]:
    """The plain text of a mail's body with its structure; quoted lines are blocks of their own."""
    builder = DocumentBuilder()
    for number, stretch in enumerate(_QUOTED.split(text)):
        if number % 2:
            builder.block(BlockKind.QUOTATION, stretch)
            continue
        mark = _SIGNATURE.search(stretch)
        end = mark.start() if mark and stretch.count("\n", mark.start()) < LONGEST else len(stretch)
        own = stretch[:end].strip("\n")
        if own.strip():
            builder.append(own, parse_plain(own))
        builder.paragraph(stretch[end:])
    whole, structure = builder.build()
    return whole, mark_foreign(structure, whole)


def mark_foreign(structure: Structure, text: str) -> Structure:
    """The structure of a mail with quoted mail, the lines that introduce it, and signatures marked as furniture.

    A mail of nothing else keeps it: somebody passes it on.
    """
    foreign = set(_foreign(structure.blocks, text))
    if len(foreign) == len(structure.blocks):
        return structure
    kinds = (BlockKind.FURNITURE if number in foreign else block.kind for number, block in enumerate(structure.blocks))
    blocks = (replace(block, kind=kind) for block, kind in zip(structure.blocks, kinds, strict=True))
    return replace(structure, blocks=tuple(blocks))


def _foreign(blocks: Sequence[Block], text: str) -> Iterator[int]:
    """The positions of blocks that are quoted, introduce a quotation, or belong to a signature."""
    lines_left = 0
    for number, block in enumerate(blocks):
        words, is_quoted = block.span.of(text), _is_quoted(block, text)
        lines_left = 0 if is_quoted else LONGEST if _SIGNATURE.match(words) else lines_left
        precedes = number + 1 < len(blocks) and _is_quoted(blocks[number + 1], text)
        names_author = words.endswith((":", "：")) and _DATE_OR_ADDRESS.search(words)
        introduces = (precedes and names_author) or len(_HEADER.findall(words)) >= HEADERS
        lines = words.count("\n") + 1
        if is_quoted or introduces or lines <= lines_left:
            yield number
        lines_left -= lines


def _is_quoted(block: Block, text: str) -> bool:
    return block.kind is BlockKind.QUOTATION and text.startswith(">", block.span.start)
