"""How turns lean on earlier ones, besides pronouns: read from files by `Topic.of` (LanguageDataError)."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class EllipsisForms(Topic):
    """Forms of elliptical questions. Patterns but `lead` match a whole turn without its lead."""

    lead: re.Pattern[str]
    """Words before the turn proper, with the marks after them: `and`, `thanks`; at its start."""
    other_case: re.Pattern[str]
    """A question about another case: `what about …`; groups `fragment`, and `same` if it is asked the same for it."""
    same_case: str
    """The fragment of the latter: `for {fragment}`."""
    question_word: re.Pattern[str]
    more: re.Pattern[str]
    """A request for more: `tell me more`."""
    choice: re.Pattern[str]
    """A choice between things; groups `next`, the word after `which one`, and `rest`."""
    option: re.Pattern[str]
    """What joins two options: ` or `."""
    choice_subject: str
    """What makes a clause of the rest of a choice: `it {word}`."""
    hypothesis: re.Pattern[str]
    """`What if …`; group `fragment`."""
    fragment_joints: frozenset[str]
    """Words within a text that make it more than a fragment, beside prepositions."""


@dataclass(frozen=True)
class Splicing(Topic):
    """Forms of the previous question and templates of the assembled one; lists are lower-cased."""

    asked_otherwise: re.Pattern[str]
    """A whole question with an adverbial question word; group `rest`: all after it."""
    yes_no: re.Pattern[str]
    """A whole question that is answered by yes or no."""
    adverbial_question_words: frozenset[str]
    """Question words that can replace one another, or precede a yes-no question."""
    action: re.Pattern[str]
    """The beginning of a question for an action; group `action`: `how do I …`."""
    qualified_plural: re.Pattern[str]
    """A quality with a word for several things; group `quality`: `cheaper ones`."""
    asks_for_next: frozenset[str]
    """Question words that ask for the noun after them: `which`."""
    people: frozenset[str]
    """Nouns for people and animals that a rule may be for."""
    pair_joints: frozenset[str]
    """Words between two things that are compared or chosen from."""
    place_prepositions: frozenset[str]
    """Prepositions of a phrase that may be a place."""
    kept_place_prepositions: frozenset[str]
    """Those that `there` takes over."""
    for_people: str
    """`for {name}`."""
    case_preposition: str
    """The preposition before another case of a rule, if it has none."""
    more: str
    """`more about {name}`."""
    hypothesis: str
    """`if {fragment}`."""
    choice: str
    """`{fragment}, {first} or {second}`."""
    and_joint: str
    """Between two names, with spaces."""
    attribute: str
    """A relation and its thing: `{text} of {name}`."""
    place: str
    """`{preposition} {name}`."""
    place_preposition: str
    """The preposition of a place that has none."""
    possessor: str
    """`{name}'s`."""
    definite_with: str
    """A name before a noun, with the article: `the {name} {noun}`."""
    in_year: str
    """`in {date}`."""
    on_date: str
    """`on {date}`."""


@dataclass(frozen=True)
class Dialogue(Topic):
    """Words of turns that follow another one; lower-cased."""

    asks_for_name: frozenset[str]
    """Question words that a name answers."""
    asks_for_person: frozenset[str]
    """Those of them that a person answers."""
    asks_about_person: re.Pattern[str]
    """The start of a question about a person: `who was …`."""
    leading_prepositions: frozenset[str]
    """Prepositions before the topic of a question: `about`."""
    topic_shift: re.Pattern[str]
    """The announcement of another topic, at the start of a turn."""


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
    """Clauses without content in a language."""

    phrases: tuple[str, ...]
    """How they begin: `glad to help`."""
    courtesy: re.Pattern[str]
    """The beginning of such a clause, with the mark before it."""
