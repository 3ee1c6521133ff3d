"""Words of a language that the timeline needs: joints between clauses, page notes, names for versions."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from babel import Locale

from libs.language.known import ENGLISH

_MARK: Final = r"\s*(?:[,;:—–]|--)\s+"


@dataclass(frozen=True, slots=True)
class Speech:
    """The words of one language; a language without a data file has only punctuation marks."""

    joint: re.Pattern[str]
    """The joint between two clauses, including white space: a punctuation mark, or a conjunction (group `joins`) with
    or without a mark. It does not match before a word that opens a subordinate clause."""
    opens: re.Pattern[str]
    """A word that opens a subordinate clause: `that`, `when`."""
    notes: frozenset[str]
    """Words with which a page gives its own dates, including month names: `last updated`; lower-cased."""
    rights: tuple[str, ...]
    """Phrases about copyright: `licensed under`; lower-cased."""
    releases: tuple[str, ...]
    """Prefixes of words for the versions of a work; lower-cased."""


@lru_cache(maxsize=64)
def speech_of(language: str) -> Speech:
    """Return the words of a language by its ISO 639-1 code; an empty code means English."""
    language = language or ENGLISH
    path = files(__package__) / "data" / f"{language}.toml"
    is_known = language.isalpha() and path.is_file()
    data = tomllib.loads(path.read_text(encoding="utf-8")) if is_known else {}
    notes = frozenset(str(data.get("notes", "")).split()) | (_months(language) if is_known else frozenset())
    joins, opens = (_any_of(_phrases(data, kind)) for kind in ("joins", "opens"))
    return Speech(
        re.compile(rf"(?:(?:{_MARK}|\s+)(?P<joins>{joins})\s+|{_MARK})(?!(?:{opens})\b)", re.IGNORECASE),
        re.compile(rf"(?:\A|\s)(?:{opens})\s", re.IGNORECASE),
        notes,
        tuple(_phrases(data, "rights")),
        tuple(_phrases(data, "releases")),
    )


def _months(language: str) -> frozenset[str]:
    names = Locale(language).months["format"]
    return frozenset(name.lower().rstrip(".") for width in ("wide", "abbreviated") for name in names[width].values())


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of the words, longest first; without words it never matches."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"


def _phrases(data: Mapping[str, object], name: str) -> list[str]:
    return [word.strip() for word in str(data.get(name, "")).split(",") if word.strip()]
