"""Parts of a clause in a language whose subject stands before the verb: verb group, subject, values."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class ClauseParts(Topic):
    """Function words by their place in a clause, and where clauses end; words are lower-cased."""

    auxiliaries: frozenset[str]
    """Verbs that may begin a verb group, or be all of it."""
    adverbs: frozenset[str]
    """Adverbs within a verb group."""
    articles: frozenset[str]
    prepositions: frozenset[str]
    """Words that end a relation: `entered orbit round`."""
    conjunctions: frozenset[str]
    """Words between nouns."""
    openers: frozenset[str]
    """Words besides prepositions that begin no subject."""
    agent: str
    """The word before who did it, with its spaces: after a bare participle the clause's verb comes later."""
    present_ending: str
    """What the third person adds to a verb."""
    nouns_too: frozenset[str]
    """Verbs whose form with this ending is mostly a plural: `visits`."""
    group_endings: tuple[str, ...]
    """Endings of words that continue a verb group."""
    name: re.Pattern[str]
    """A name of one or more words."""
    noun: re.Pattern[str]
    """The noun after a number, from the space on."""
    end: re.Pattern[str]
    """Where a clause with a subject ends."""
    next_clause: re.Pattern[str]
    """The beginning of a further clause, with or without a subject."""
    self_definition: re.Pattern[str]
    """A name that is defined by itself."""
