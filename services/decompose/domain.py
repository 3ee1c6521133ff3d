"""The words of the domain: what a standalone question may add, which nouns lean on the conversation."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BUILT_IN = Path(__file__).with_name("domain.toml")


@dataclass(frozen=True, slots=True)
class Domain:
    """One subject's words, lower-cased; see `domain.toml` for what each list means."""

    name: str
    connectives: frozenset[str]
    case_connective: str
    facets: frozenset[str]
    rule_subjects: frozenset[str]
    classes: frozenset[str]
    relations: frozenset[str]
    unique_roles: frozenset[str]
    adjectives: Mapping[str, str]
    phases: tuple[str, ...]


def load_domain(file: Path | None = None) -> Domain:
    """Read a domain file; None reads the built-in one.

    Raises:
        ValueError: the file can't be read, is no TOML, or lacks a list; the message names it.
    """
    path = file or BUILT_IN
    try:
        return _domain(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"domain file {path}: {error}") from error
    except (KeyError, TypeError) as error:
        raise ValueError(f"domain file {path}: {error} is missing or of the wrong kind") from error


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
        relations=frozenset(table["relations"]),
        unique_roles=frozenset(table["unique_roles"]),
        adjectives=dict(table["adjectives"]),
        phases=tuple(table["timeline"]["phases"]),
    )
