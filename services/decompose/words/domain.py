"""The words of the domain: what a standalone question may add, which nouns lean on the conversation."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BUILT_IN = Path(__file__).with_name("domain.toml")
SHIPPED = Path(__file__).with_name("domains")
"""Examples, each of which a setting may name without its path and suffix."""


@dataclass(frozen=True, slots=True)
class Domain:
    """One subject's words, lower-cased; see `domain.toml` for what each list means."""

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
    """From the function that chooses one of several to the comparatives that it decides."""
    phases: tuple[str, ...]
    matter: str
    """What the documents are about, for a language model."""
    language: str
    """What the documents are written in, in English."""
    synonyms: Mapping[str, tuple[str, ...]]
    """Other words for a word or phrase, the most precise first."""
    focus: tuple[str, ...]
    """Aspects that an expanded question also asks for."""
    rules_expand: bool = True
    """Whether the rules ask for them, too: aspects that fit every subject find what fits none."""


def load_domain(file: Path | None = None) -> Domain:
    """Read a domain file; None reads the built-in one, a bare name one of `domains`.

    A file that says `extends = "general"` has to hold only what it has otherwise than the built-in one.

    Raises:
        ValueError: the file can't be read, is no TOML, or lacks a list; the message names it.
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
    """The singular of a regular plural; other words as they are."""
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
