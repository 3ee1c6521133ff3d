"""Words with which a turn picks one of several options."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Picks(Topic):
    """A pick among offered options; lower-cased."""

    filling: frozenset[str]
    """Words around a pick: `the`, `one`, `please`."""
    yes: frozenset[str]
    """Words that pick the first option, which is the most likely."""
    last: frozenset[str]
    """Words for the last option."""
    pair: Mapping[str, int]
    """Words for the first or second of two: `latter`."""
    letters: Mapping[str, int]
    """Letters that number options; not those that are words."""
