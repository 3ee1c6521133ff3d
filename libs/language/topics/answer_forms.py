"""Forms of sentences by the kind of answer that they may have."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar


@dataclass(frozen=True)
class AnswerForms(Topic):
    """What a sentence has if it tells a date, a place, a person, a name, a reason or what something is."""

    uses = (Calendar,)

    date_clue: re.Pattern[str]
    """Every sentence with a date contains this."""
    date: re.Pattern[str]
    """A year, a month with its day, a century, or what looks like one."""
    named_month: re.Pattern[str]
    """A month, where its name is no other word."""
    regular_time: re.Pattern[str]
    """A recurring or relative time: `every Monday`, `from 8 am`, `two weeks in advance`."""
    place: re.Pattern[str]
    """A name after a preposition of place, as the group `place`."""
    reason: re.Pattern[str]
    """Words that give a reason."""
    name: re.Pattern[str]
    """A name within a sentence, with the words that belong to it."""
    person: re.Pattern[str]
    """A name of at least two words, as a person has."""
    is_a: re.Pattern[str]
    """The text after a thing that is defined: `is a`."""
    defining: re.Pattern[str]
    """Other verbs that define."""
    called: re.Pattern[str]
    """The text before a thing that is defined: `called a`."""
    intent: re.Pattern[str]
    """What was planned: `was to be launched`."""
    clause_boundary: re.Pattern[str]
    """The boundary before a clause with its own subject; not before `, and survived`."""
