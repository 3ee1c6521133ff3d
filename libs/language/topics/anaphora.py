"""Pronouns, `the old one`, agreement of gender and number: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.grammar import Grammar


@dataclass(frozen=True)
class AnaphoraForms(Topic):
    """Pronouns, demonstratives and adverbs of place, and the words around them; lower-cased."""

    uses = (Grammar,)

    candidate: re.Pattern[str]
    """A word without which a turn has no anaphora."""
    expletive: re.Pattern[str]
    """A pronoun that refers to nothing: `it rains`, `is it true that`."""
    expletive_pronouns: frozenset[str]
    pair: re.Pattern[str]
    """`The two`, `both of them`."""
    action: re.Pattern[str]
    """The text before the object of `do`: `how do I do`."""
    action_objects: frozenset[str]
    """Pronouns for an action: `do that`."""
    place_adverbs: frozenset[str]
    """`There`."""
    existential_before: frozenset[str]
    """Words before `there` that make it refer to nothing, beside forms of `be`."""
    existential_after: frozenset[str]
    near_demonstratives: frozenset[str]
    """Those that with a time are resolved by the calendar: `this week`."""
    near_singular: frozenset[str]
    conjunction_demonstratives: frozenset[str]
    """Those that are also a conjunction: `that`."""
    plural_demonstratives: frozenset[str]
    links: frozenset[str]
    """Words that may stand before a demonstrative, beside auxiliaries, prepositions and question words."""
    relatives: frozenset[str]
    """Words after a demonstrative that make it point forward: `those who`."""
    closings: frozenset[str]
    """Words after a pronoun that begin something new: `does that and`."""
    times: frozenset[str]
    """Nouns of time that a demonstrative refers to a date by: `that year`."""
    years: frozenset[str]
    """Those of them that the year of a date suffices for."""
    specifying: frozenset[str]
    """Words after a definite noun that say which one, beside prepositions: `the mission that`."""
    statement_verbs: frozenset[str]
    """Verb forms after a demonstrative for a whole statement: `that is`."""
    statement_nouns: re.Pattern[str]
    """What follows a demonstrative for a whole statement: `the reason`."""
    ahead_of_subject: frozenset[str]
    """Words before a pronoun that the next name may resolve: `after its launch, Cassini`."""
    before_subject: frozenset[str]
    """Words and marks between that phrase and the name."""
    his_or_hers: frozenset[str]
    """Possessives that are also object pronouns: `her`."""


@dataclass(frozen=True)
class OneAnaphora(Topic):
    """Anaphora of one and the words around them; lower-cased."""

    pointer: re.Pattern[str]
    """An anaphora of one; groups: `lead`, its determiner; `quality1`, `quality2` and so on, its modifier."""
    leads: frozenset[str]
    """Determiners that one may begin with."""
    double_leads: Mapping[str, str]
    """Determiners of two words, by their first: `any other`."""
    needs_quality: frozenset[str]
    """Determiners after which a bare `one` is no anaphora: `is he the one`."""
    chooses: frozenset[str]
    """Determiners of a choice: `which one`."""
    option: re.Pattern[str]
    """What joins two options: ` or `."""
    pointing: frozenset[str]
    """Determiners after which a relative clause says which one is meant."""
    demonstratives: frozenset[str]
    """Those of them that would be an anaphora again."""
    indefinite: frozenset[str]
    """Determiners of another one of a class."""
    definite: str
    """The determiner for those and for ordinals."""
    places: Mapping[str, int]
    """Modifiers by which one of several is chosen, with its position from 0; -1 is the last."""
    others: frozenset[str]
    """Modifiers for the second of two."""
    comparing: frozenset[str]
    """Modifiers that point without a determiner: `newer ones`."""
    bare_plural: re.Pattern[str]
    """An anaphora of several: `cheaper ones`."""
    not_after: frozenset[str]
    """Words after `one` that make it a number."""
    relatives: frozenset[str]
    counted: frozenset[str]
    """Words before the number one, or that form a word with it: `chapter one`."""
    no_modifiers: frozenset[str]
    """Determiners that may nevertheless modify: `other`."""
    names: frozenset[str]
    """The word in a spelling that makes it a name: `One`."""


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
