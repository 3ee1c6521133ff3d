"""Words that deny, and words that seem to."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Negation(Topic):
    """Negation in a language."""

    negator: re.Pattern[str]
    """A word that denies what is near: `not`, `never`, `failed` before `to`."""
    no_denial: re.Pattern[str]
    """A phrase with a negator that denies nothing or only states a bound: `no later than`."""
    not_only: re.Pattern[str]
    """A clause of the form `not only … but`."""
    supposition: re.Pattern[str]
    """A word that makes its clause hypothetical: `if`."""
    partial: re.Pattern[str]
    """After a negator: `always` in `not always`."""
    no_other: re.Pattern[str]
    """A negator of existence: `nobody`."""
    utmost: re.Pattern[str]
    """A superlative or `only`, which states the same as `no other`."""
    implied: re.Pattern[str]
    """A word that may replace a negator: `lost`, `refused`."""
    clause_end: re.Pattern[str]
    """A punctuation mark or conjunction that ends a negator's scope."""
    prefix: re.Pattern[str]
    """A prefix that makes a word's opposite: `un`."""
