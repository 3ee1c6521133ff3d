"""Pronouns that refer, or refer to nothing: read from files by `Topic.of` (LanguageDataError)."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.grammar import Grammar


@dataclass(frozen=True)
class AnaphoraForms(Topic):
    """Words that point back, where nouns do not agree by gender; lower-cased."""

    uses = (Grammar,)

    expletive: re.Pattern[str]
    """A pronoun that refers to nothing: `it rains`, `is it true that`."""
    place_adverbs: frozenset[str]
    """`There`."""
