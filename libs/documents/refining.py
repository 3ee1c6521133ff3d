"""Marks tables of contents, indexes and lists of sources as furniture, by their headings, for every format.

Furniture is what helps to find content and is none itself. Numbers that name no source are chosen by hand. The
languages' data is read once and may raise LanguageDataError.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from libs.contracts.structure import Block, BlockKind, Structure
from libs.documents.furniture import is_contents_line, is_index
from libs.language.files import known_languages
from libs.language.known import Language, language_of


class FurnitureSection(StrEnum):
    """The kind of section under such a heading."""

    CONTENTS = "CONTENTS"
    INDEX = "INDEX"
    SOURCES = "SOURCES"


_NUMBER: Final = r"(?:\d+(?:\.\d+)*\.?|[A-Z]\.|[IVXLC]+\.)?"
_SOURCE: Final = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|https?://|\bdoi\b|^\s*\[[^\]]{1,24}\]|\bpp?\.\s?\d|\bRFC ?\d", re.IGNORECASE
)


def furniture_section(heading: str) -> FurnitureSection | None:
    """The kind of section under a heading, in any known language; None for a content section."""
    words = " ".join(heading.split())
    return next((section for section, pattern in _patterns().items() if pattern.fullmatch(words)), None)


def are_sources(entries: Sequence[str]) -> bool:
    """Whether at least 60 % of the entries look like sources: a year, a URL, page numbers."""
    return bool(entries) and sum(bool(_SOURCE.search(entry)) for entry in entries) >= 0.6 * len(entries)


@lru_cache(maxsize=1)
def _patterns() -> Mapping[FurnitureSection, re.Pattern[str]]:
    """The pattern of each kind of section; compiled on first use."""
    languages = [language_of(code) for code in known_languages()]
    return {
        FurnitureSection.CONTENTS: _pattern((language, language.contents_headings) for language in languages),
        FurnitureSection.INDEX: _pattern((language, language.index_headings) for language in languages),
        FurnitureSection.SOURCES: _pattern((language, language.source_headings) for language in languages),
    }


def _pattern(headings_by_language: Iterable[tuple[Language, tuple[str, ...]]]) -> re.Pattern[str]:
    """A pattern: a section number, then a heading of one language after any of its openers."""
    headings = "|".join(
        rf"(?:(?:{_any_of(language.heading_openers)})\s+)*(?:{_any_of(names)})"
        for language, names in headings_by_language
        if names
    )
    return re.compile(rf"{_NUMBER}\s*(?:{headings})\s*:?", re.IGNORECASE)


def _any_of(phrases: tuple[str, ...]) -> str:
    """Alternatives of the phrases; a pattern that never matches if there are none."""
    return "|".join(re.escape(phrase).replace(r"\*", "[^.]{1,40}") for phrase in phrases) or r"(?!)"


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
