"""Turns that leave out what the conversation provides."""

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
