"""Predicates: finds the verb and the subject of a clause."""

import re
from collections.abc import Iterable
from typing import Final

from libs.chronology.eventfulness import verbs_in
from libs.language.topics.grammar import Grammar, Predicates

_WORD: Final = re.compile(r"[^\W\d_][\w’'-]*")
_LONGEST_SUBJECT: Final = 80
"""Characters; anything longer is no subject or was misdetected."""


def begins_with_verb(words: str, language: str) -> bool:
    """Whether a clause has no subject of its own: `was later charged`, `leaving …`."""
    predicates = Predicates.of(language)
    adverbs = predicates.leading_adverbs.match(words)
    first = _WORD.search(words, adverbs.end() if adverbs else 0)
    if first is None:
        return False
    is_continuous = first[0].islower() and first[0].endswith(predicates.continuous)
    return is_continuous or _is_verb(first[0], language)


def subject_of(clause: str, dates: Iterable[str], language: str) -> str:
    """Return the text before the first verb, without a date and anything before a comma; empty without a verb."""
    verb = _predicate_in(clause, language)
    if verb is None:
        return ""
    begins = max((clause.find(date) + len(date) for date in dates if date in clause[:verb]), default=0)
    subject = clause[begins:verb].strip(" ,;:").rsplit(", ", 1)[-1]
    trailing_adverbs = Predicates.of(language).trailing_adverbs
    return trailing_adverbs.sub("", subject) if len(subject) <= _LONGEST_SUBJECT else ""


def _predicate_in(words: str, language: str) -> int | None:
    """Return the start of the first verb, ignoring participles as in `the newly elected …`, or None."""
    before_noun = Predicates.of(language).before_noun
    verbs = (word.start() for word in _WORD.finditer(words) if _is_verb(word[0], language))
    return next((start for start in verbs if not before_noun.search(words[:start])), None)


def _is_verb(word: str, language: str) -> bool:
    return word in Grammar.of(language).auxiliaries or verbs_in(word, language) == (word,)
