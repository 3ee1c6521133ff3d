"""Words by which turns are read: courtesies around them, wishes, corrections, picks; read by `Topic.of`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class TurnForms(Topic):
    """What stands around the matter of a turn; lists are lower-cased."""

    after_courtesy: frozenset[str]
    """Words that may follow a courtesy without a mark between them: `great, what …`, but not `great wall`."""
    corrections: tuple[str, ...]
    """Words with which a correction begins, beside denials: `sorry`."""
    negations: frozenset[str]
    """Words that turn a statement of courtesy into a complaint: `that did not help`."""
    request: re.Pattern[str]
    """At the start of a turn: words that want what follows: `now tell me …`."""
    meant: re.Pattern[str]
    """Before what was meant, at the start of a turn or of a later clause of it: `I meant`."""
    instead: re.Pattern[str]
    """The same, but only after a denial: `no, it was …`."""
    topic_shift: re.Pattern[str]
    """What announces another topic, at the start of a turn: `by the way`."""
    lead: re.Pattern[str]
    """Words before the turn proper, with the marks after them: `and`, `thanks`; at its start."""
    form_markers: Mapping[str, re.Pattern[str]]
    """The pattern of each form but a translation, by its name in lower case: `shorter`."""
    translation: re.Pattern[str]
    """A wish for another language; group `language`."""
    languages: Mapping[str, str]
    """The names of languages and their codes, ISO 639-1."""
    form_words: frozenset[str]
    """Words that may stand beside a marker: `can you put your answer …`."""
    about_things: frozenset[str]
    """First words of a question that asks about a thing: `is it shorter?`."""


@dataclass(frozen=True)
class Picks(Topic):
    """A pick among offered or listed things; lower-cased."""

    filling: frozenset[str]
    """Words around a pick: `the`, `one`, `please`."""
    yes: frozenset[str]
    """Words that accept what was offered; of several, the first, which is the most likely."""
    yes_phrases: tuple[str, ...]
    """Phrases that accept it, of words that do not by themselves: `why not`."""
    no: tuple[str, ...]
    """Phrases that decline it."""
    none: frozenset[str]
    """Words that pick none: `neither`."""
    every: frozenset[str]
    """Words that pick all."""
    both: frozenset[str]
    """Words that pick two of two."""
    last: frozenset[str]
    middle: frozenset[str]
    before_last: tuple[str, ...]
    """Phrases for the last but one."""
    pair: Mapping[str, int]
    """Words for the first or second of two: `latter`."""
