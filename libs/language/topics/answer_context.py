"""Words around a date, number or name that tell whether it is the answer."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class AnswerContext(Topic):
    """Words around a candidate for a short answer. Patterns of what precedes it end with `\\Z`."""

    planned: re.Pattern[str]
    """Before a number that was only planned: `designed for 32 minutes`."""
    compared: re.Pattern[str]
    """Before a name that is only compared with: `than`."""
    distance_in_time: re.Pattern[str]
    """Before a name that is only a point in time for something else: `two years after`."""
    at_place: re.Pattern[str]
    """Before a name that is where something is: `in the crater`."""
    at_place_of_kind: re.Pattern[str]
    """The same with more words between: `near the small town`."""
    copula: re.Pattern[str]
    """Before a name that something is: `was the`."""
    item_boundary: re.Pattern[str]
    """The boundary between items of a list that may have different dates: `Spirit in Gusev and Opportunity on …`."""
    predicate_boundary: re.Pattern[str]
    """The boundary between predicates of one subject: `launched on 30 May and landed on 2 June`."""
    phrase_end: re.Pattern[str]
    """What ends a phrase."""
