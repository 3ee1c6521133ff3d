"""Parts of speech, phrases and word forms of a language: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from libs.language.topic import Topic


@dataclass(frozen=True)
class Grammar(Topic):
    """Function words and verbs of a language; lower-cased."""

    auxiliaries: frozenset[str]
    """Auxiliary verbs, also contracted: `isn't`, `what's`."""
    be_forms: frozenset[str]
    """Forms of `be`, also contracted."""
    wh_words: frozenset[str]
    """Question words, also contracted."""
    articles: frozenset[str]
    demonstratives: frozenset[str]
    possessives: frozenset[str]
    """Possessive determiners."""
    quantifiers: frozenset[str]
    """Determiners of quantity: `each`."""
    prepositions: frozenset[str]
    possessive_pronouns: frozenset[str]
    """Third-person possessives."""
    adverbs: frozenset[str]
    """Words that do not begin a noun phrase."""
    base_verbs: frozenset[str]
    """Verbs in their base form."""
    imperatives: frozenset[str]
    """Verbs with which a request begins."""
    irregular_forms: Mapping[str, str]
    """The base form of each irregular form of a verb."""
    personal_pronouns: frozenset[str]
    """Personal, possessive and reflexive pronouns of any person."""
    third_person_pronouns: frozenset[str]
    """Pronouns that refer to an antecedent: `it`, `his`."""
    never_pronouns: Mapping[str, str]
    """Words that look like a pronoun and are something else, in this spelling only, and what they become: `US`."""

    @cached_property
    def determiners(self) -> frozenset[str]:
        """Articles, demonstratives, possessives and quantifiers."""
        return self.articles | self.demonstratives | self.possessives | self.quantifiers


@dataclass(frozen=True)
class Inflection(Topic):
    """How verbs and nouns change in a language."""

    past_endings: tuple[str, ...]
    """Endings of regular past forms."""
    continuous_endings: tuple[str, ...]
    """Endings of verb forms that are also nouns: `landing`."""
    plural_suffix: str
    """What makes a noun plural."""
    possessive_marks: tuple[str, ...]
    """What is written to a possessor."""
    copula_marks: tuple[str, ...]
    """A shortened `is` at the end of a word."""


@dataclass(frozen=True)
class NounPhrases(Topic):
    """Words around and within noun phrases; lower-cased where nothing else is said."""

    definite_articles: frozenset[str]
    definite: str
    """A phrase with the definite article: `the {name}`."""
    substitutes: frozenset[str]
    """Words that stand for a noun: `one`."""
    degree_words: frozenset[str]
    """Question words before an adjective: `how`."""
    capital_pronouns: frozenset[str]
    """Pronouns with a capital that are no names, in this spelling."""
    question_articles: Mapping[str, str]
    """The article that makes a question's beginning a noun phrase, by its question word: `which craft`, `the craft`."""


@dataclass(frozen=True)
class EventVerbs(Topic):
    """Past-tense verbs of a language; lower-cased."""

    irregular: frozenset[str]
    """Past tenses and participles that no ending shows: `began`."""
    regular: re.Pattern[str]
    """A whole word that is one by its ending: `landed`."""
    no_verbs: frozenset[str]
    """Words with such an ending that describe a state or a kind, or are no verbs: `indeed`, `located`."""
    indefinite: re.Pattern[str]
    """A word of an indefinite subject, which refers to nothing mentioned before: `a fire broke out`."""
    recurring: re.Pattern[str]
    """A word that says that an event happens more than once: `annually`."""
    calendar_words: frozenset[str]
    """Words around dates, beside months and weekdays, that do not tell events apart: `day`."""
    before_noun: re.Pattern[str]
    """The text before a participle that is an attribute: `the newly`."""
    past_perfect: re.Pattern[str]
    """An auxiliary of events before those reported: `had`."""


@dataclass(frozen=True)
class Abbreviations(Topic):
    """Abbreviations of a language; lower-cased, without the last full stop and without spaces: `z.b`."""

    never_end: frozenset[str]
    """They never end a sentence: titles, examples, comparisons."""
    before_number: frozenset[str]
    """Abbreviations of numbered things: they end no sentence before a digit."""
    may_end: frozenset[str]
    """They end a sentence only if one of `starters` follows."""
    starters: frozenset[str]
    """Capitalised words that probably begin a sentence; without those that are also initials, as `A`."""
    ordinal_stop: bool
    """Whether a full stop makes a number an ordinal (`am 3. Mai`); it then ends a sentence as after `may_end`."""
