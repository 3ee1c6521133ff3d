"""Questions that are planned in steps: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.grammar import Grammar


@dataclass(frozen=True)
class PlanRules(Topic):
    """Forms of questions, and the steps of each, by the name of the form; spaces are single.

    A step is a template of the groups of its pattern, and of `question`, the whole. A group `adjective` is a
    comparative: `quality` is how that is asked for, `choice` and `order` are the functions that decide by it. A group
    `event` or `later_event` becomes how its date is asked for, `unit` the unit of a length of time.
    `text = function(one; other)` is a computed step; `#1` stands for the answer of the first.
    """

    uses = (Grammar,)

    patterns: Mapping[str, re.Pattern[str]]
    """Whole questions with a small first letter, the surest form first."""
    steps: Mapping[str, tuple[str, ...]]
    """The steps of each."""
    events: Mapping[str, re.Pattern[str]]
    """Whole phrases and clauses that say what happened, the surest form first; group `event`."""
    happened: Mapping[str, str]
    """How each is asked for, after the question word for a date; a template."""
    pronouns: frozenset[str]
    """Pronouns that a clause begins with, for something named before; lower-cased."""
    units: Mapping[str, str]
    """The unit of `date_difference` for each word of the group `unit`; lower-cased. One without an entry is its own."""


@dataclass(frozen=True)
class Descriptions(Topic):
    """Words of descriptions such as `the craft that first orbited Mars`; lower-cased."""

    order: frozenset[str]
    """Words that pick one of several, besides superlatives: `first`."""
    superlative: re.Pattern[str]
    """A whole word that may be a superlative."""
    relatives: frozenset[str]
    """Relative pronouns."""
    relative_adverbs: frozenset[str]
    """Those among them that are not the subject or object of their clause: `where`."""
    nouns_of_statements: frozenset[str]
    """Nouns after which `that` begins no relative clause: `the case that`."""
    subordinators: frozenset[str]
    """Words before a clause with a subject and a finite verb."""
    negators: frozenset[str]
    conjunctions: frozenset[str]
    """Words between two phrases or clauses."""
    asks_for_it: re.Pattern[str]
    """The end of a lead that asks for the described thing itself: `which craft was `."""
    relative_question: str
    """How a description with a relative clause is looked up: its `noun`, and the `rest` of the clause."""
    question: str
    """How any other is: its noun as `head`, and the whole `text`."""

    def picks_one(self, word: str) -> bool:
        """Whether a word identifies one thing: "first", "largest", "longest-lived"."""
        return word in self.order or self.superlative.fullmatch(word.partition("-")[0]) is not None


@dataclass(frozen=True)
class JoinedQuestions(Topic):
    """How questions are joined, and what a pronoun in a later one agrees with; words are lower-cased.

    Classes of agreement are `thing`, `person`, `plural`, or genders where nouns have them; and `place`: `there`.
    """

    uses = (Grammar,)

    indirect: re.Pattern[str]
    """At the start of a sentence: a question within a question, `can you tell me when …`."""
    joint: re.Pattern[str]
    """What stands before another question: ` and `."""
    fragment: re.Pattern[str]
    """The start of a question that has no verb: `what about`."""
    pointing: re.Pattern[str]
    """What points back other than a pronoun: `which one`."""
    identity: re.Pattern[str]
    """A whole question for what something is called, the group `named`; the group `name` if it asks for a name."""
    nominal: frozenset[str]
    """Question words for a thing or person."""
    pronouns: Mapping[str, tuple[str, ...]]
    """The classes of what each pronoun stands for."""
    determiners: Mapping[str, tuple[str, ...]]
    """The classes of a noun with each determiner or question word, where these tell them."""
    name_classes: frozenset[str]
    """The classes of a name, and of a noun that neither its determiner nor its ending tells more of."""
    asks_place: re.Pattern[str]
    """The start of a question for a place: `where`."""
    place: str
    """A thing as a place, `name`: `in {name}`."""
    owner: str
    """A thing as a possessor, `name`; empty where a possessive cannot be replaced alone."""
