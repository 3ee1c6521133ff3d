"""Words of a dialogue: picking an option, asking who, changing the topic."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Dialogue(Topic):
    """Words of turns that follow another one; lower-cased."""

    option_words: frozenset[str]
    """Words around the choice of an option: `the second option, please`."""
    option_places: Mapping[str, int]
    """Words for the position of an option from 1, beside ordinals; -1 is the last."""
    acceptances: frozenset[str]
    """Words that accept the only option."""
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
