"""Function words by their role in a question, and verbs with their forms."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from libs.language.topic import Topic


@dataclass(frozen=True)
class Grammar(Topic):
    """Function words and verbs of a language; lower-cased."""

    auxiliaries: frozenset[str]
    """Auxiliary verbs, also contracted: `isn't`, `what's`."""
    do_support: frozenset[str]
    """Auxiliaries that need another verb in its base form: `did`."""
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
    speakers: frozenset[str]
    """Subjects that stand for those who talk, or for anybody: `we`, `you`, `people`."""
    clause_openers: frozenset[str]
    """Words that may begin another clause within a sentence."""
    it: frozenset[str]
    """Pronouns for a thing."""
    they: frozenset[str]
    """Pronouns for several."""
    he_she: frozenset[str]
    """Pronouns for a person."""
    possessive_pronouns: frozenset[str]
    """Third-person possessives."""
    adverbs: frozenset[str]
    """Words that do not begin a noun phrase."""
    qualities: frozenset[str]
    """Adjectives whose degree a question may ask for."""
    person_titles: frozenset[str]
    """Nouns for persons by office or profession."""
    deictic_times: frozenset[str]
    """Nouns that with `this` are resolved by the calendar, not by the conversation."""
    units: frozenset[str]
    """Units of measure."""
    base_verbs: frozenset[str]
    """Verbs in their base form."""
    imperatives: frozenset[str]
    """Verbs with which a request begins."""
    quality_endings: tuple[str, ...]
    """Endings of adjectives."""
    regular_endings: tuple[str, ...]
    """Endings of regular verb forms, longest first."""
    irregular_forms: Mapping[str, str]
    """The base form of each irregular form of a verb."""

    @cached_property
    def determiners(self) -> frozenset[str]:
        """Articles, demonstratives, possessives and quantifiers."""
        return self.articles | self.demonstratives | self.possessives | self.quantifiers
