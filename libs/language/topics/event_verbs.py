"""Verbs in forms that tell of an event."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class EventVerbs(Topic):
    """Past-tense verbs of a language; lower-cased."""

    irregular: frozenset[str]
    """Past tenses and participles that no ending shows: `began`."""
    regular: re.Pattern[str]
    """A whole word that is one by its ending: `landed`."""
    no_verbs: frozenset[str]
    """Words with such an ending that describe a state or a kind, or are no verbs: `indeed`, `located`."""
    indefinite: re.Pattern[str]
    """A word of an indefinite subject, which refers to nothing mentioned before: `a fire broke out`."""
    recurring: re.Pattern[str]
    """A word that says that an event happens more than once: `annually`."""
    calendar_words: frozenset[str]
    """Words around dates, beside months and weekdays, that do not tell events apart: `day`."""
