"""Words of phrases that need an antecedent, for languages without agreement of gender (see `Agreement`)."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class UnclearPhrases(Topic):
    """Demonstratives, definites and pronouns in a question; lower-cased."""

    demonstratives: frozenset[str]
    singular_demonstratives: frozenset[str]
    conjunction: str
    """A demonstrative that is also a conjunction: `that`."""
    before_conjunction: frozenset[str]
    """Words after which it may be a demonstrative; after others it opens a clause: `I heard that people …`."""
    definite: str
    """The definite article."""
    unique: frozenset[str]
    """Words for unique things, which need no antecedent."""
    superlative: str
    """The ending of superlatives."""
    auxiliaries: frozenset[str]
    acts: frozenset[str]
    """Verbs: after `did that mission` they are its predicate, not part of the noun phrase."""
    after_verb: frozenset[str]
    """Words that can follow a verb, but not its subject."""
    possessives: frozenset[str]
    neuter: str
    """The pronoun that may refer to nothing: `it`."""
    third_person_form: re.Pattern[str]
    """A word that is a verb after a singular demonstrative: `that means`."""
    verb_form: re.Pattern[str]
    boundary: re.Pattern[str]
    """Between clauses."""
    expletive: re.Pattern[str]
    """A pronoun that refers to nothing: `is it possible`."""
    ahead_of_subject: re.Pattern[str]
    """The text before a possessive whose owner may follow: `after its`."""
    owner_follows: re.Pattern[str]
    """The text after it: `after its launch did Cassini …`."""
