"""What is known of a language's words here: what joins clauses, what pages say of themselves, what versions are."""

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
    """Of one language; of one without a file only marks are known."""

    joint: re.Pattern[str]
    """What stands between two clauses, with the white space around it: a mark, or a conjunction with a mark or without,
    which is its group `joins`. None before a word that opens a clause of another kind."""
    opens: re.Pattern[str]
    """A word that opens a clause of another kind, told of what stands before it: `that`, `when`."""
    notes: frozenset[str]
    """Words that a page tells its own dates by, the names of months too: `last updated`; lower-cased."""
    rights: tuple[str, ...]
    """What says who may copy a text: `licensed under`; lower-cased."""
    releases: tuple[str, ...]
    """How words begin that versions of a work are called by; lower-cased."""


@lru_cache(maxsize=64)
def speech_of(language: str) -> Speech:
    """What is known of a language, by its ISO 639-1 code; an empty one counts as English."""
    language = language or ENGLISH
    path = files(__package__) / "data" / f"{language}.toml"
    is_known = language.isalpha() and path.is_file()
    known = tomllib.loads(path.read_text(encoding="utf-8")) if is_known else {}
    notes = frozenset(str(known.get("notes", "")).split()) | (_months(language) if is_known else frozenset())
    joins, opens = (_any_of(_listed(known, kind)) for kind in ("joins", "opens"))
    return Speech(
        re.compile(rf"(?:(?:{_MARK}|\s+)(?P<joins>{joins})\s+|{_MARK})(?!(?:{opens})\b)", re.IGNORECASE),
        re.compile(rf"(?:\A|\s)(?:{opens})\s", re.IGNORECASE),
        notes,
        tuple(_listed(known, "rights")),
        tuple(_listed(known, "releases")),
    )


def _months(language: str) -> frozenset[str]:
    names = Locale(language).months["format"]
    return frozenset(name.lower().rstrip(".") for width in ("wide", "abbreviated") for name in names[width].values())


def _any_of(words: Iterable[str]) -> str:
    """The longest first; without a word, nothing that could match."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"


def _listed(known: Mapping[str, object], name: str) -> list[str]:
    return [word.strip() for word in str(known.get(name, "")).split(",") if word.strip()]
