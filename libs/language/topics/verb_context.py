"""Words that tell a verb from the same word used as a noun."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class VerbContext(Topic):
    """Words beside verbs; lower-cased."""

    subjects: frozenset[str]
    """Words right before a verb: pronouns, `who`, `to`."""
    relatives: frozenset[str]
    """Relative pronouns, before a finite verb of any form."""
    joints: frozenset[str]
    """Words after which another verb may follow: `and`, `not`, `then`."""
    light_verb_nouns: Mapping[str, tuple[str, ...]]
    """Nouns that form a verb with one before them: `take place`."""
