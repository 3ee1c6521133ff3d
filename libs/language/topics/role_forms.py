"""Persons and things that a question refers to by their role: `the founder of SpaceX`."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class RoleForms(Topic):
    """Roles in a question."""

    role: re.Pattern[str]
    """Between the lead of a question and the owner, with the group `role`: ` the founder of `. The owner follows."""
    asks_for_it: re.Pattern[str]
    """The whole lead of a question that asks for the role itself: `who is`."""
    things: frozenset[str]
    """Roles of things, not people; lower-cased."""
    who: str
    """The question for a person's name, with `role` and `owner`."""
    what: str
    """The question for a thing's name."""
    owner_preposition: str
    """What the owner begins with, if the pattern `role` does not include it."""
