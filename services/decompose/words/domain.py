"""The words of the domain, such as those that a plan reads; loading blocks on the disk, once a language."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from libs.language.files import folders, language_files
from libs.language.known import language_of

GENERAL: Final = "general"


@dataclass(frozen=True, slots=True)
class Domain:
    """The words of one domain, lower-cased; see `libs/language/data/en/domains/general.toml` for each list."""

    name: str
    classes: frozenset[str] = frozenset()
    more_verbs: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()
    unique_roles: frozenset[str] = frozenset()
    adjectives: Mapping[str, str] = field(default_factory=dict)
    comparing: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Maps each function that chooses one of several to the comparatives that it decides."""
    matter: str = ""
    """The subject of the documents, for a language model's prompt."""
    language: str = ""
    """The English name of the documents' language."""
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Synonyms of a word or phrase, most precise first."""
    focus: tuple[str, ...] = ()
    """Aspects that an expanded question also asks for."""
    rules_expand: bool = True
    """Whether the rules add them, too; aspects that fit every subject are too general to help retrieval."""


def domain_file(name: str = GENERAL, *, language: str) -> Path:
    """The path of a domain file of a language: the user's, else the shipped one, which may not exist."""
    shipped = folders()[0] / language / "domains" / f"{name}.toml"
    *_, last = (shipped, *language_files(language, f"domains/{name}.toml"))
    return Path(str(last))


def load_domain(file: Path | None = None, *, language: str) -> Domain:
    """Load a domain file; None loads the general one of a language, a bare name another one that is shipped for it.

    A file with `extends = "general"` needs only the entries that differ from the general one.

    Raises:
        ValueError: the file can't be read, is not TOML, or lacks a list; the message names it.
    """
    shipped = domain_file(str(file or GENERAL), language=language)
    path = file if file and (file.is_file() or file.name != str(file) or not shipped.is_file()) else shipped
    try:
        table = _table(path)
        if table.get("extends") == GENERAL:
            table = {**_table(domain_file(GENERAL, language=language)), **table}
        return _domain(table)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"domain file {path}: {error}") from error
    except (KeyError, TypeError) as error:
        raise ValueError(f"domain file {path}: {error} is missing or of the wrong kind") from error


def domain_in(domain: Domain, language: str) -> Domain:
    """A domain for texts in a language: itself in its own, else the general one, without words if there is none."""
    return domain if domain.language == language_of(language).name else _general(language)


@lru_cache(maxsize=64)  # taste
def _general(language: str) -> Domain:
    path = domain_file(GENERAL, language=language)
    return load_domain(path, language=language) if language.isalpha() and path.is_file() else Domain(GENERAL)


def _table(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _domain(table: Mapping[str, Any]) -> Domain:
    """A domain of the entries that are named as its fields, in the table itself or in one of its sections."""
    entries = {"rules_expand": True, **table, **table["rewriting"]}
    entries["comparing"] = {name: frozenset(adjectives) for name, adjectives in entries["comparing"].items()}
    entries["synonyms"] = {word: tuple(others) for word, others in entries["synonyms"].items()}
    empty = Domain(GENERAL)
    return Domain(**{each.name: type(getattr(empty, each.name))(entries[each.name]) for each in fields(Domain)})
