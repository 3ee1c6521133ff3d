"""Recognises headings of sections without content of their own: contents, indexes, lists of sources."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from libs.language.known import Language, known_languages, language_of


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
