"""Pronouns, agreement of gender and number: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
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


@dataclass(frozen=True)
class Agreement(Topic):
    """Reference by agreement; words are lower-cased. A class of agreement is `m`, `f`, `n` or `p` (plural)."""

    determiners: Mapping[str, tuple[str, ...]]
    """The classes with which each determiner agrees, contracted prepositions included (`im`)."""
    noun_endings: Mapping[str, tuple[str, ...]]
    """The classes of nouns with an ending: `ung`; the longest ending counts."""
    pronouns: Mapping[str, tuple[str, ...]]
    """The classes of antecedents of each third-person pronoun."""
    possessives: Mapping[str, tuple[str, ...]]
    """The classes of possessors of each possessive determiner."""
    possessor: str
    """The phrase of a possessor: `von {name}`."""
    place: str
    """The phrase of a place: `in {name}`."""
    person_classes: frozenset[str]
    """The classes of a person whose name tells none."""
    genitive_determiners: frozenset[str]
    """Determiners of a noun that depends on the noun before it."""
    articles_as_pronouns: Mapping[str, tuple[str, ...]]
    """Definite articles, which without a noun are pronouns, with the classes of their antecedents: `Wo steht die?`."""
    adverbs: Mapping[str, str]
    """Pronominal adverbs and the prepositions that they contain: `davon`."""
    places: frozenset[str]
    """Adverbs for a place named before: `dort`."""
    times: frozenset[str]
    """Adverbs for a time named before: `damals`."""
    time: str
    """The phrase of a year: `im Jahr {year}`."""
    demonstratives: Mapping[str, tuple[str, ...]]
    """Determiners and pronouns that point back, with their classes: `dieser`."""
    headless: frozenset[str]
    """Adjectives that need a noun, if none follows: `andere`, `zweite`."""
    openers: tuple[str, ...]
    """Words before an elliptical question: `und`."""
    question_words: tuple[str, ...]
    """Words and phrases that a question begins with."""
    particles: frozenset[str]
    """Words that an elliptical question may have besides: `denn`."""
    prepositions: frozenset[str]
    """Prepositions, contracted ones included."""
    finite_verb: re.Pattern[str]
    """A word that is a finite verb, at least an auxiliary, in a question."""
    nonfinite_verb: re.Pattern[str]
    """A word that may be a participle or infinitive at the end of a question."""
    negators: frozenset[str]
    """Words that negate an elliptical question: `warum nicht`."""
    expletive: re.Pattern[str]
    """A pronoun that refers to nothing: `gibt es`."""
