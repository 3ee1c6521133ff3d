"""Events in a question, and the question when they happened."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class EventForms(Topic):
    """Forms of events. Patterns match a whole phrase; templates have the named parts."""

    own: re.Pattern[str]
    """An event of something named before, with the group `event`: `its launch`."""
    of_thing: re.Pattern[str]
    """An event of something: `the launch of Luna 9`."""
    possessed: re.Pattern[str]
    """The same with the possessor before it: `Luna 9's launch`."""
    own_question: str
    """`event`, `owner`."""
    noun_question: str
    """`event`."""
    be_question: str
    """`verb`, `subject`, `rest`."""
    action_question: str
    """`subject`, `base`, `rest`."""
    clause_question: str
    """`clause`, which has an unknown verb."""
    clause_opener: str
    """What stands before a clause with a finite verb, with the space: `before `."""
    year: str
    """`date`, of which the year is computed."""
    in_year: str
    """`main`, `year`."""
    year_at_start: re.Pattern[str]
    """A whole question that begins with a year known by an event; groups `event`, `main`."""
    year_at_end: re.Pattern[str]
    """A whole question that ends with it."""
