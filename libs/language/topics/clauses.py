"""Words that join clauses."""

from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Clauses(Topic):
    """Conjunctions of a language; lower-cased."""

    joins: tuple[str, ...]
    """Conjunctions between two main clauses: `and`."""
    opens: tuple[str, ...]
    """Words that open a subordinate clause: `that`, `when`."""
