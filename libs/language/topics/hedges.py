"""Words that negate, hedge or bind: leaving one out changes a statement."""

from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Hedges(Topic):
    """Words that must be kept when a sentence is shortened; lower-cased."""

    turning: frozenset[str]
    """Words that negate or hedge a statement: omitting or adding one changes its meaning."""
    turning_endings: tuple[str, ...]
    """Endings of such words: `n't`."""
    never_turning: frozenset[str]
    """Words that look like one in this spelling: the month `May`."""
    binding: frozenset[str]
    """Words that determine who did what to whom: `was defeated by`."""
