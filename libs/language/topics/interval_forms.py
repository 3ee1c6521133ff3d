"""Questions about two moments: the time between them, or which came first."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class IntervalForms(Topic):
    """Forms of questions about two moments. Patterns match a whole question or phrase where nothing else is said."""

    between: re.Pattern[str]
    """`How many years passed between …`; groups `one`, `other`, and `unit` if there is one."""
    after: re.Pattern[str]
    """`How many days after …`; groups `rest`, which has both moments, and `unit`."""
    how_old: re.Pattern[str]
    """`How old was … when …`; groups `thing`, `predicate`, and `it` for the thing's pronoun."""
    which_first: re.Pattern[str]
    """`Did … before …`; groups `aux`, `main`, `order`, `other`."""
    of_thing: re.Pattern[str]
    """An event of something; groups `event`, `thing`."""
    possessed: re.Pattern[str]
    """The same with the possessor, `thing`, before it."""
    event: re.Pattern[str]
    """An event without its thing: `the landing`."""
    named: re.Pattern[str]
    """A bare name, which is not an event."""
    main_clause: re.Pattern[str]
    """The start of a main clause, anywhere."""
    verb_at_end: re.Pattern[str]
    """The repeated auxiliary at the end of the second moment: ` did`."""
    units: Mapping[str, str]
    """The unit of `date_difference` for each word of the group `unit`; lower-cased."""
    persons: frozenset[str]
    """Pronouns for a person."""
    before: frozenset[str]
    """First words of the group `order` for the earlier of two moments."""
    alternatives: frozenset[str]
    """Words of the group `order` that leave it open: `before or after`."""
    definite_articles: frozenset[str]
    """Words that a thing without a name begins with."""
    born_question: str
    """When a person's age begins, with `thing`."""
    began_question: str
    """When a thing's age begins, with `thing`."""
    when: str
    """The question word for a date."""
    event_of: str
    """`event`, `thing`."""
    same_question: str
    """The same question about another thing: `aux`, `thing`, `predicate`."""
    which_came_first: str
    """What is computed for two things, `one` and `other`."""
