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
    specifying: frozenset[str]
    """Words after a definite noun that say which one, beside prepositions: `the mission that`."""
    his_or_hers: frozenset[str]
    """Possessives that are also object pronouns: `her`."""


@dataclass(frozen=True)
class Agreement(Topic):
    """Reference by agreement; words are lower-cased. A class of agreement is `m`, `f`, `n` or `p` (plural)."""

    determiners: Mapping[str, tuple[str, ...]]
    """The classes with which each determiner agrees, contracted prepositions included (`im`)."""
    noun_endings: Mapping[str, tuple[str, ...]]
    """The classes of nouns with an ending: `ung`; the longest ending counts."""
    pronouns: Mapping[str, tuple[str, ...]]
    """The classes of antecedents of each third-person pronoun."""
    pronoun_articles: Mapping[str, str]
    """Per pronoun and class (`sie f`), the article in its case, before the antecedent that replaces it."""
    possessives: Mapping[str, tuple[str, ...]]
    """The classes of possessors of each possessive determiner."""
    possessive_articles: Mapping[str, str]
    """The article that replaces a possessive; the possessor follows its noun."""
    possessor: str
    """The phrase of a possessor: `von {name}`."""
    place: str
    """The phrase of a place: `in {name}`."""
    place_prepositions: frozenset[str]
    """Prepositions of a place that something is in."""
    person_classes: frozenset[str]
    """The classes of a person whose name tells none."""
    governed_articles: Mapping[str, str]
    """Per class (`f`), the article after a preposition; per preposition and class (`für f`) where it differs."""
    genitive_determiners: frozenset[str]
    """Determiners of a noun that depends on the noun before it."""
    articles_as_pronouns: Mapping[str, tuple[str, ...]]
    """Definite articles, which without a noun are pronouns, with the classes of their antecedents: `Wo steht die?`."""
    event_pronouns: frozenset[str]
    """Pronouns that also stand for what a sentence says: `das`."""
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
    demonstrative_articles: Mapping[str, str]
    """The article that replaces each of them before the antecedent."""
    headless: frozenset[str]
    """Adjectives that need a noun, if none follows: `andere`, `zweite`."""
    openers: tuple[str, ...]
    """Words before an elliptical question: `und`."""
    question_words: tuple[str, ...]
    """Words and phrases that a question begins with."""
    adverbial_question_words: tuple[str, ...]
    """Those that can replace one another before the same clause: `wann`, `warum`."""
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
    asks_person: tuple[str, ...]
    """Question words whose answer is a person: `wer`."""
    no_antecedents: frozenset[str]
    """Nouns that no pronoun refers to: of time and measure."""
    templates: Mapping[str, str]
    """Assembled questions: `beside` puts a fragment after the previous question."""
