"""Questions that compare two things, and the question about each of the two."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class ComparisonForms(Topic):
    """Forms of comparisons. Patterns match a whole question; the two things are the groups `one` and `other`.

    Templates have the groups of the pattern, with `side` for the thing, `base` for the base form of the group `verb`,
    and `question` for how the quality of the group `adjective` is asked for. One with `base` needs a known verb.
    """

    which: re.Pattern[str]
    """What begins a choice between two things: `which `. A part of the patterns."""
    which_noun: re.Pattern[str]
    """The same with a noun: `which rover `."""
    of_two: re.Pattern[str]
    """The two things after a choice: `, Spirit or Opportunity`."""
    adjective: re.Pattern[str]
    """An adjective or adverb in the comparative, where the patterns below need it."""
    compare: re.Pattern[str]
    """A request to compare; the group `quality` if only that is compared."""
    differences: Mapping[str, re.Pattern[str]]
    """Questions for the difference."""
    chosen_by_date: Mapping[str, re.Pattern[str]]
    """`Which was launched earlier`; groups `verb`, `done`, `adjective`."""
    chosen_by_amount: Mapping[str, re.Pattern[str]]
    """`Which took more pictures`; groups `verb`, `more`, `thing`."""
    chosen_by_quality: Mapping[str, re.Pattern[str]]
    """`Which is larger`, `which launched earlier`; groups `verb`, `adjective`."""
    yes_no: Mapping[str, re.Pattern[str]]
    """`Is Jupiter larger than Saturn`; groups `verb`, `adjective`, or `verb`, `more`, `thing`."""
    yes_no_functions: Mapping[str, str]
    """The function of a yes-no question for that of the choice by the same adjective (libs/graph/signatures.py)."""
    be_forms: frozenset[str]
    """Verbs with which the quality is asked for by `quality_question`, not by `action_question`."""
    quality_question: str
    unnamed_quality_question: str
    """For an adjective that the domain doesn't have; `quality` is its last word, if it has several: `more common`."""
    action_question: str
    timed_adjectives: frozenset[str]
    """Adjectives, unknown to the domain, with which an action is asked for by its date."""
    when: str
    """The question word for a date."""
    date_question: str
    amount_question: str
    """Has `quantifier` besides."""
    more: frozenset[str]
    """Words of the group `more` that choose the greater amount."""
    uncounted_more: frozenset[str]
    """Those that stand before uncounted nouns only: `less`."""
    uncounted: frozenset[str]
    """Nouns that are not counted: `water`."""
    quantifiers: Mapping[str, str]
    """`count` and `mass`: `how many`, `how much`."""
    keeps_determiners: bool
    """Whether a thing keeps its determiner in the question about it."""
    quality_of: str
    """A quality of one thing, with `quality` and `side`."""
