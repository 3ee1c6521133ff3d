"""How turns lean on earlier ones, besides pronouns: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.anaphora import Agreement
from libs.language.topics.grammar import FunctionWords, Grammar


@dataclass(frozen=True)
class EllipsisForms(Topic):
    """What stands before a turn that follows another one."""

    lead: re.Pattern[str]
    """Words before the turn proper, with the marks after them: `and`, `thanks`; at its start."""


@dataclass(frozen=True)
class JoinedQuestions(Topic):
    """How questions are joined in a language."""

    uses = (Agreement, FunctionWords, Grammar)

    question_word: re.Pattern[str]
    """A question word that needs no noun or adjective; a part of the patterns below."""
    two_words: re.Pattern[str]
    """A whole question with two question words, the groups `first` and `other`, before the same `rest`."""
    question_of_two_words: str
    """The question of each: `{word} {rest}`."""
    indirect: re.Pattern[str]
    """At the start of a sentence: a question within a question, `can you tell me when …`."""
    joint: re.Pattern[str]
    """What stands before another question: ` and `."""
    bare: re.Pattern[str]
    """A whole question with another question word at its end: groups `first`, `rest`, `other`."""
    between: re.Pattern[str]
    """A word of a question phrase after its first, a part of the patterns: ` many guineas`."""
    openers: frozenset[str]
    """Prepositions that may stand before a question word, so that the question begins with them; lower-cased."""
    pointing: re.Pattern[str]
    """What points back other than a pronoun: `which one`."""
    identity: re.Pattern[str]
    """A whole question for what something is called, the group `named`; groups `name` and `called` if it
    asks for a name: `what is the name of`."""
    nominal: frozenset[str]
    """Question words for a thing or person."""
    personal: frozenset[str]
    """Those for a person."""
    pronouns: Mapping[str, tuple[str, ...]]
    """The classes of what each pronoun stands for, where nouns don't agree by gender: `thing`, `person`, `plural`."""
    persons: frozenset[str]
    """Nouns for persons, beside titles; singular."""
    person_endings: tuple[str, ...]
    """Endings of nouns that may be persons."""
    collectives: frozenset[str]
    """Nouns for groups of people, which are spoken of in the plural, too."""
    person_classes: frozenset[str]
    """The classes of agreement of a person who is asked for."""
    name_classes: frozenset[str]
    """The classes of a name without an article."""
    asks_place: re.Pattern[str]
    """The start of a question for a place: `where`."""
    place: str
    """A thing as a place, `name`: `at the museum`."""


@dataclass(frozen=True)
class Remarks(Topic):
    """Remarks of a writer to the reader, in a language."""

    lead: re.Pattern[str]
    """A word with which a reply begins, with the mark after it: `Yes,`."""
    fillers: tuple[str, ...]
    """Words that claim nothing when they are alone."""
    silence: re.Pattern[str]
    """Words that say that the information is missing."""
    speech: re.Pattern[str]
    """A conversational remark addressed to the reader."""
    verb: re.Pattern[str]
    """A word that shows that a text is a sentence and not the item of a list."""


@dataclass(frozen=True)
class Fillers(Topic):
    """Sentences without content in a language."""

    openings: tuple[str, ...]
    """How they begin: `glad to help`."""
