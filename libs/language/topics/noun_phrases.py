"""Words that tell where a noun phrase or name begins and ends."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class NounPhrases(Topic):
    """Words around and within noun phrases; lower-cased where nothing else is said."""

    nouns_too: frozenset[str]
    """Adverbs that are nouns after a definite determiner: `the second well`."""
    definite_articles: frozenset[str]
    definite: str
    """A phrase with the definite article: `the {name}`."""
    owned: str
    """A phrase with a possessive determiner: `my {name}`."""
    substitutes: frozenset[str]
    """Words that stand for a noun: `one`."""
    degree_words: frozenset[str]
    """Question words before an adjective: `how`."""
    not_numbered: frozenset[str]
    """Words that form no name with a number after them, beside prepositions and units: `top 10`."""
    name_joints: frozenset[str]
    """Words within a name: `of`."""
    not_places: frozenset[str]
    """Places whose names are another word in lower case."""
    capitals: frozenset[str]
    """Names that are a stop word in lower case, in this spelling."""
    capital_pronouns: frozenset[str]
    """Pronouns with a capital that are no names, in this spelling."""
    ambiguous_months: frozenset[str]
    """Months that are another word at the start of a sentence, in this spelling."""
    question_articles: Mapping[str, str]
    """The article that makes a question's beginning a noun phrase, by its question word: `which craft`, `the craft`."""
