"""Marks lists of sources as furniture, for every format: they help to find content and are none itself.

Numbers that name no source are chosen by hand. The languages' data is read once and may raise LanguageDataError.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from libs.contracts.structure import Block, BlockKind, Structure
from libs.language.files import known_languages
from libs.language.known import Language, language_of

_SOURCE: Final = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|https?://|\bdoi\b|^\s*\[[^\]]{1,24}\]|\bpp?\.\s?\d|\bRFC ?\d", re.IGNORECASE
)
"""A year, an address, page numbers."""


def mark_bibliographies(structure: Structure, text: str) -> Structure:
    """The structure with the blocks of bibliographies marked as furniture."""
    marked = set[int]()
    for number, section in enumerate(structure.sections[1:], start=1):
        if _headings().fullmatch(" ".join(section.heading.split())):
            blocks = [block for block in structure.blocks if block.section == number]
            marked |= {number} if _are_sources(blocks, text) else set()
    if not marked:
        return structure
    kinds = ((block, BlockKind.FURNITURE if block.section in marked else block.kind) for block in structure.blocks)
    return replace(structure, blocks=tuple(replace(block, kind=kind) for block, kind in kinds))


def _are_sources(blocks: Sequence[Block], text: str) -> bool:
    """Whether at least 60 % of the entries look like sources; a table that describes each work is data."""
    spans = [span for block in blocks for span in ([part.span for part in block.parts] or [block.span])]
    is_table = any(block.kind is BlockKind.TABLE for block in blocks)
    return not is_table and sum(bool(_SOURCE.search(span.of(text))) for span in spans) >= 0.6 * len(spans)


@lru_cache(maxsize=1)
def _headings() -> re.Pattern[str]:
    """A pattern for the heading of a bibliography in any known language, with its number; compiled on first use."""
    headings = "|".join(_headings_of(language_of(code)) for code in known_languages())
    return re.compile(rf"(?:\d+(?:\.\d+)*\.?|[A-Z]\.|[IVXLC]+\.)?\s*(?:{headings})\s*:?", re.IGNORECASE)


def _headings_of(language: Language) -> str:
    """The headings of one language after any of its openers (`Selected`); `*` stands for some words."""
    openers, names = (
        "|".join(re.escape(phrase).replace(r"\*", "[^.]{1,40}") for phrase in phrases)
        for phrases in (language.heading_openers, language.source_headings)
    )
    return rf"(?:(?:{openers})\s+)*(?:{names})" if openers else rf"(?:{names})"
