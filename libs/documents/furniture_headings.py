"""Headings under which no content stands but pointers: contents, indexes, lists of sources."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from libs.language.known import Language, known_languages, language_of


class FurnitureSection(StrEnum):
    """What stands under such a heading."""

    CONTENTS = "CONTENTS"
    INDEX = "INDEX"
    SOURCES = "SOURCES"


_NUMBER: Final = r"(?:\d+(?:\.\d+)*\.?|[A-Z]\.|[IVXLC]+\.)?"
_SOURCE: Final = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|https?://|\bdoi\b|^\s*\[[^\]]{1,24}\]|\bpp?\.\s?\d|\bRFC ?\d", re.IGNORECASE
)


def furniture_section(heading: str) -> FurnitureSection | None:
    """What stands under a heading, by its words in any language that is known; None where it is content."""
    words = " ".join(heading.split())
    return next((section for section, pattern in _patterns().items() if pattern.fullmatch(words)), None)


def are_sources(entries: Sequence[str]) -> bool:
    """Whether most entries look like sources: a year, an address, a number of pages."""
    return bool(entries) and sum(bool(_SOURCE.search(entry)) for entry in entries) >= 0.6 * len(entries)


@lru_cache(maxsize=1)
def _patterns() -> Mapping[FurnitureSection, re.Pattern[str]]:
    """Compiled with the first heading."""
    languages = [language_of(code) for code in known_languages()]
    return {
        FurnitureSection.CONTENTS: _pattern((language, language.contents_headings) for language in languages),
        FurnitureSection.INDEX: _pattern((language, language.index_headings) for language in languages),
        FurnitureSection.SOURCES: _pattern((language, language.source_headings) for language in languages),
    }


def _pattern(named: Iterable[tuple[Language, tuple[str, ...]]]) -> re.Pattern[str]:
    """A number, then the words of one language, behind any of its openers."""
    headings = "|".join(
        rf"(?:(?:{_any_of(language.heading_openers)})\s+)*(?:{_any_of(names)})" for language, names in named if names
    )
    return re.compile(rf"{_NUMBER}\s*(?:{headings})\s*:?", re.IGNORECASE)


def _any_of(phrases: tuple[str, ...]) -> str:
    """Of no phrase, a pattern that nothing fits."""
    return "|".join(re.escape(phrase).replace(r"\*", "[^.]{1,40}") for phrase in phrases) or r"(?!)"
