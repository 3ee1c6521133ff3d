"""Forms of statements that can be turned into questions, and the questions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar


@dataclass(frozen=True)
class StatementForms(Topic):
    """Statement forms of a language; groups are named, `subject` is in all of them."""

    uses: ClassVar[tuple[type[Topic], ...]] = (Calendar,)
    name: re.Pattern[str]
    """A name of one or more capitalised words."""
    subject: re.Pattern[str]
    leading_date: re.Pattern[str]
    """A date with a comma at a sentence's start."""
    measure: re.Pattern[str]
    """`X has a mass of`; group `thing`."""
    passive: re.Pattern[str]
    """`X was built …`; groups `aux`, `participle`, `rest`, and `article` where the subject has one."""
    active: re.Pattern[str]
    """`X landed …`; groups `verb`, `rest`."""
    by_whom: re.Pattern[str]
    reason: re.Pattern[str]
    object_after: re.Pattern[str]
    """The text after a verb of finding."""
    count: re.Pattern[str]
    """A number and the thing counted after the verb; group `thing`."""
    place_after: re.Pattern[str]
    """A place after a verb of landing."""
    particle: re.Pattern[str]
    complement_end: re.Pattern[str]
    """Where the words after the verb end that a question repeats."""
    unclear: re.Pattern[str]
    """Words that a question cannot repeat."""
    finding: frozenset[str]
    """Past forms of verbs of finding."""
    landing: frozenset[str]
    """Past forms of verbs of arriving."""
    no_name_endings: tuple[str, ...]
    """Endings of capitalised words that are no names."""
    questions: Mapping[str, str]
    """The questions: `measure`, `topic`, and with `{predicate}`: `when`, `who`, `why`, `how_many`, `what`, `where`."""
    predicates: Mapping[str, str]
    """The predicate of a question for `passive` and `active` statements."""
