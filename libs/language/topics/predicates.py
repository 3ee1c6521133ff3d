"""Words around verbs that tell where a clause's predicate and subject are."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Predicates(Topic):
    """Adverbs, participles and tenses of a language."""

    adverb: re.Pattern[str]
    """An adverb that may stand beside a verb: `later`, `quickly`."""
    leading_adverbs: re.Pattern[str]
    trailing_adverbs: re.Pattern[str]
    before_noun: re.Pattern[str]
    """The text before a participle that is an attribute: `the newly`."""
    continuous: tuple[str, ...]
    """Endings of verb forms without a finite verb: `leaving`."""
    past_perfect: re.Pattern[str]
    """An auxiliary of events before those reported: `had`."""
