"""How a fragment is put into the previous question or beside the topic."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


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
