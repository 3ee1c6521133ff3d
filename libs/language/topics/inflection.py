"""Endings of verbs and nouns, and the marks that are written to a word."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Inflection(Topic):
    """How verbs and nouns change in a language."""

    past_endings: tuple[str, ...]
    """Endings of regular past forms."""
    continuous_endings: tuple[str, ...]
    """Endings of verb forms that are also nouns: `landing`."""
    base_endings: Mapping[str, tuple[str, ...]]
    """What the end of a regular form without its ending becomes in the base form: `i` becomes `y` in `carried`. The
    key `""` holds what is appended to any."""
    doubles_letters: bool
    """Whether the last letter of a base form may be doubled before an ending: `stopped`."""
    plural_endings: Mapping[str, str]
    """Endings of plurals and what they become in the singular; the longest counts. Equal ones mark singulars."""
    plural_suffix: str
    """What makes a noun plural."""
    possessive_marks: tuple[str, ...]
    """What is written to a possessor."""
    copula_marks: tuple[str, ...]
    """A shortened `is` at the end of a word."""
    contractions: Mapping[str, str]
    """Shortened auxiliaries at the end of a pronoun, and the full words."""
