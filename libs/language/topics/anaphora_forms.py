"""Words that refer to something named before, where the language has no agreement of gender to tell what."""

import re
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
