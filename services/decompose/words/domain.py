"""The words of the domain, such as those a standalone question may add and the nouns that may be anaphoric."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BUILT_IN = Path(__file__).with_name("domain.toml")
SHIPPED = Path(__file__).with_name("domains")
"""Example domains, which a setting may name without path and suffix."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The words of one domain, lower-cased; see `domain.toml` for the meaning of each list."""

    name: str
    connectives: frozenset[str]
    case_connective: str
    facets: frozenset[str]
    rule_subjects: frozenset[str]
    classes: frozenset[str]
    described: frozenset[str]
    more_verbs: frozenset[str]
    relations: frozenset[str]
    unique_roles: frozenset[str]
    adjectives: Mapping[str, str]
    comparing: Mapping[str, frozenset[str]]
    """Maps each function that chooses one of several to the comparatives that it decides."""
    phases: tuple[str, ...]
    matter: str
    """The subject of the documents, for a language model's prompt."""
    language: str
    """The English name of the documents' language."""
    synonyms: Mapping[str, tuple[str, ...]]
    """Synonyms of a word or phrase, most precise first."""
    focus: tuple[str, ...]
    """Aspects that an expanded question also asks for."""
    rules_expand: bool = True
    """Whether the rules add them, too; aspects that fit every subject are too general to help retrieval."""


def load_domain(file: Path | None = None) -> Domain:
    """Load a domain file; None loads the built-in one, a bare name one of `domains`.

    A file with `extends = "general"` needs only the entries that differ from the built-in one.

    Raises:
        ValueError: the file can't be read, is not TOML, or lacks a list; the message names it.
    """
    path = _path(file)
    try:
        table = _table(path)
        if table.get("extends") == "general":
            table = {**_table(BUILT_IN), **table}
        return _domain(table)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"domain file {path}: {error}") from error
    except (KeyError, TypeError) as error:
        raise ValueError(f"domain file {path}: {error} is missing or of the wrong kind") from error


def _path(file: Path | None) -> Path:
    if file is None:
        return BUILT_IN
    shipped = SHIPPED / f"{file}.toml"
    return shipped if file.name == str(file) and not file.is_file() and shipped.is_file() else file


def _table(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def is_among(noun: str, nouns: frozenset[str]) -> bool:
    """Whether a lower-cased noun, singular or plural, is one of `nouns`."""
    return noun in nouns or singular(noun) in nouns


def singular(noun: str) -> str:
    """Return the singular of a regular plural; other words unchanged."""
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "sses", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def _domain(table: Mapping[str, Any]) -> Domain:
    return Domain(
        name=str(table["name"]),
        connectives=frozenset(table["connectives"]),
        case_connective=str(table["case_connective"]),
        facets=frozenset(table["facets"]),
        rule_subjects=frozenset(table["rule_subjects"]),
        classes=frozenset(table["classes"]),
        described=frozenset(table["described"]),
        more_verbs=frozenset(table["more_verbs"]),
        relations=frozenset(table["relations"]),
        unique_roles=frozenset(table["unique_roles"]),
        adjectives=dict(table["adjectives"]),
        comparing={str(name): frozenset(adjectives) for name, adjectives in table["comparing"].items()},
        phases=tuple(table["timeline"]["phases"]),
        matter=str(table["rewriting"]["matter"]),
        language=str(table["rewriting"]["language"]),
        synonyms={str(word): tuple(others) for word, others in table["rewriting"]["synonyms"].items()},
        focus=tuple(table["rewriting"]["focus"]),
        rules_expand=bool(table["rewriting"].get("rules_expand", True)),
    )
