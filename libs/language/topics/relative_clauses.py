"""Things that a question describes, in a language that capitalises nouns and puts the verb of a clause at its end."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class RelativeClauses(Topic):
    """Relative clauses and words that pick one of several; words are lower-cased."""

    opening: re.Pattern[str]
    """The start of a relative clause; groups `pronoun`, and `preposition` if there is one."""
    question_determiners: Mapping[str, str]
    """What asks for the noun that each relative pronoun stands for: `der`, `welcher`."""
    oblique_classes: Mapping[str, tuple[str, ...]]
    """Classes of agreement of an article or pronoun after a noun or preposition, where they differ."""
    fused_articles: Mapping[str, str]
    """Prepositions fused with an article, and the preposition alone: `im`, `in`."""
    infinitive_marks: frozenset[str]
    """Words before an infinitive: no relative clause ends with one."""
    conjunctions: frozenset[str]
    """Words between the members of a list, which may look like a clause."""
    personal_pronouns: frozenset[str]
    """A clause with one of them says nothing that documents say."""
    finite_verb: re.Pattern[str]
    """A whole word that is surely a finite verb."""
    picks: re.Pattern[str]
    """An adjective in the nominative that picks one of several: `erste`, `älteste`."""
    attribute_prepositions: frozenset[str]
    """Prepositions of a phrase that belongs to the noun before it."""
    asks_for_it: re.Pattern[str]
    """The whole lead of a question that asks for the described thing itself."""
    clause_question: str
    """Looks a thing up: `determiner`, `noun`, `verb`, `rest`."""
    who: str
    """Looks up a person by the description, `text`."""
    what: str
    """Looks up a thing by it."""
