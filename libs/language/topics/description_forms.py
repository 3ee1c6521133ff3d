"""Phrases that describe a thing instead of naming it, in a language whose descriptions follow their noun at once."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class DescriptionForms(Topic):
    """Words of descriptions such as `the craft that first orbited Mars`; lower-cased."""

    order: frozenset[str]
    """Words that pick one of several, besides superlatives: `first`."""
    superlative: re.Pattern[str]
    """A whole word that may be a superlative."""
    no_superlatives: frozenset[str]
    """Other words of that form."""
    relatives: frozenset[str]
    """Relative pronouns."""
    possessive_relatives: frozenset[str]
    infinitive_marks: frozenset[str]
    subordinators: frozenset[str]
    """Words before a clause with a subject and a finite verb."""
    ends: frozenset[str]
    """Words that end a description: `before`."""
    negators: frozenset[str]
    conjunctions: frozenset[str]
    """Words between two phrases or clauses."""
    alternatives: frozenset[str]
    """Those that always end a description: `or`."""
    have_forms: frozenset[str]
    """Auxiliaries before a participle, besides those of `be`."""
    finite_verbs: frozenset[str]
    """Auxiliaries that a relative clause begins with."""
    time_prepositions: frozenset[str]
    """Prepositions that begin no description of a thing."""
    partitives: frozenset[str]
    """Words between a superlative and a quantifier: `the farthest of all`."""
    plural_nouns: frozenset[str]
    """Plurals without an ending."""
    singular_nouns: frozenset[str]
    """Singulars with the ending of a plural."""
    asks_for_it: re.Pattern[str]
    """The whole lead of a question that asks for the described thing itself: `which craft was `."""
    was: str
    were: str
    order_question: str
    """Looks up what a word of order picks; templates have `noun`, `verb` and `rest`, the words after the noun."""
    participle_question: str
    possessive_question: str
    relative_question: str
