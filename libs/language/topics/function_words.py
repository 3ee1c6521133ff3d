"""Pronouns and other function words by their role."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class FunctionWords(Topic):
    """Function words of a language; lower-cased."""

    personal_pronouns: frozenset[str]
    """Personal, possessive and reflexive pronouns of any person."""
    third_person_pronouns: frozenset[str]
    """Pronouns that refer to an antecedent: `it`, `his`."""
    never_pronouns: Mapping[str, str]
    """Words that look like a pronoun and are something else, in this spelling only, and what they become: `US`."""
