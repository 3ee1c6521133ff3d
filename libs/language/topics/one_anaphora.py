"""Words that stand for one of a class or of several things: `the old one`, `the latter`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class OneAnaphora(Topic):
    """Anaphora of one and the words around them; lower-cased."""

    pointer: re.Pattern[str]
    """An anaphora of one; groups: `lead`, its determiner; `quality1`, `quality2` and so on, its modifier."""
    leads: frozenset[str]
    """Determiners that one may begin with."""
    double_leads: Mapping[str, str]
    """Determiners of two words, by their first: `any other`."""
    needs_quality: frozenset[str]
    """Determiners after which a bare `one` is no anaphora: `is he the one`."""
    chooses: frozenset[str]
    """Determiners of a choice: `which one`."""
    option: re.Pattern[str]
    """What joins two options: ` or `."""
    pointing: frozenset[str]
    """Determiners after which a relative clause says which one is meant."""
    demonstratives: frozenset[str]
    """Those of them that would be an anaphora again."""
    indefinite: frozenset[str]
    """Determiners of another one of a class."""
    definite: str
    """The determiner for those and for ordinals."""
    places: Mapping[str, int]
    """Modifiers by which one of several is chosen, with its position from 0; -1 is the last."""
    others: frozenset[str]
    """Modifiers for the second of two."""
    comparing: frozenset[str]
    """Modifiers that point without a determiner: `newer ones`."""
    bare_plural: re.Pattern[str]
    """An anaphora of several: `cheaper ones`."""
    not_after: frozenset[str]
    """Words after `one` that make it a number."""
    relatives: frozenset[str]
    counted: frozenset[str]
    """Words before the number one, or that form a word with it: `chapter one`."""
    no_modifiers: frozenset[str]
    """Determiners that may nevertheless modify: `other`."""
    names: frozenset[str]
    """The word in a spelling that makes it a name: `One`."""
