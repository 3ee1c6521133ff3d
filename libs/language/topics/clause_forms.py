"""Where clauses and lists end, and phrases that a writer can attach to correct words by guessing."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class ClauseForms(Topic):
    """Clauses, lists and phrases of a language."""

    boundary: re.Pattern[str]
    """The boundary between clauses that may have different dates."""
    added_clause: re.Pattern[str]
    """The beginning of a clause that is added to a sentence: `, which`."""
    utmost_action: re.Pattern[str]
    """`the first to …`, with the group `verb`."""
    relative_verb: re.Pattern[str]
    """`, who …`, with the group `verb`."""
    passive_agent: re.Pattern[str]
    """A passive up to the word before its agent: `was built by`."""
    stands_for: re.Pattern[str]
    """`stands for …`, with the meaning as the group `tail`."""
    reason: re.Pattern[str]
    """A word that introduces a reason: `because`."""
    reason_given: re.Pattern[str]
    """A word or mark by which a source may give a reason."""
    enumeration: re.Pattern[str]
    """A list of at least three items, each one word."""
    separator: re.Pattern[str]
    """What is between the items of a list."""
