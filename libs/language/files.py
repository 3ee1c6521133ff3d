"""The files of a language: `data/<language>/<name>` of the package, then of the folder that the user adds.

A key of the user's `.toml` file replaces the package's key of the same name, within a table, too; rows of the user's
`.txt` file are added to the package's. A row has cells separated by `|`; a cell is a list of words with white space
between them, or of phrases with commas. A line that begins with `#` is a comment. Reading blocks on the disk; what the
rules use is kept for the life of the process.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, TypeAlias

from libs.runtime.settings import AreaSettings, SettingsError

MAX_CODE: Final = 8
"""Letters of a language's subtag (BCP 47)."""
Row: TypeAlias = tuple[tuple[str, ...], ...]
"""The words of each cell."""


class LanguageSettings(AreaSettings, area="language"):
    """What the rules know of languages beyond the package's own data."""

    data: Path | None = None
    """A folder of languages, laid out as `libs/language/data`: it adds languages, and words and patterns to those there
    are."""


class LanguageDataError(Exception):
    """A language file cannot be used; the message names the file and the key."""


@lru_cache(maxsize=1)
def folders() -> tuple[Traversable, ...]:
    """The folders of languages, the package's first.

    Raises:
        SettingsError: the user's folder does not exist.
    """
    own, packaged = LanguageSettings.load().data, files(__package__) / "data"
    if own is None:
        return (packaged,)
    if not own.is_dir():
        raise SettingsError(f"{LanguageSettings.variable('data')}: must name a folder, and {own} is not one")
    return packaged, own


def language_files(language: str, name: str) -> Iterator[Traversable]:
    """Yield the files of a language with a name, the package's first; none for a path or text that is no code."""
    if len(language) <= MAX_CODE and language.isascii() and language.isalpha():
        yield from (file for folder in folders() if (file := folder / language / name).is_file())


def read_toml(language: str, name: str) -> dict[str, Any]:
    """The keys of a language's files with a name; empty if there are none.

    Raises:
        LanguageDataError: a file is not TOML.
    """
    merged: dict[str, Any] = {}
    for file in language_files(language, name):
        try:
            table = tomllib.loads(file.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise LanguageDataError(f"{language}/{name}: {error}") from error
        merged |= {key: _merged(merged.get(key), value) for key, value in table.items()}
    return merged


def _merged(value: Any, other: Any) -> Any:
    return {**value, **other} if isinstance(value, Mapping) and isinstance(other, Mapping) else other


@lru_cache(maxsize=256)  # taste
def word_table(name: str, language: str) -> tuple[Row, ...]:
    """The rows of a table; empty if the language does not have it. Errors as of `folders`.

    Args:
        name: the file's name without its ending.
        language: ISO 639-1.
    """
    return tuple(tuple(map(phrases_of, line.split("|"))) for line in _lines(language, name))


@lru_cache(maxsize=64)  # taste
def place_names(language: str) -> frozenset[str]:
    """Places in lower case, without articles; empty without the file `places.txt`. Errors as of `folders`."""
    return frozenset(name.replace("_", " ") for line in _lines(language, "places") for name in line.split())


@lru_cache(maxsize=1)
def known_languages() -> tuple[str, ...]:
    """The codes of all languages with a data folder, sorted."""
    return tuple(sorted({entry.name for folder in folders() for entry in folder.iterdir() if entry.is_dir()}))


def _lines(language: str, name: str) -> Iterator[str]:
    for file in language_files(language, f"{name}.txt"):
        lines = file.read_text(encoding="utf-8").splitlines()
        yield from (line for line in lines if line and not line.startswith("#"))


def phrases_of(cell: str) -> tuple[str, ...]:
    """The phrases between commas, or else the words."""
    phrases = cell.split(",") if "," in cell else cell.split()
    return tuple(" ".join(phrase.split()) for phrase in phrases if phrase.strip())
