"""The question as the rules engine compares it with units."""

from collections.abc import Sequence
from dataclasses import dataclass

from libs.contracts.query import SearchedTerm


@dataclass(frozen=True, slots=True)
class QuotingQuery:
    """A question with its language and search terms."""

    question: str
    language: str
    terms: Sequence[SearchedTerm]
    whole_index: bool = True
    """Whether the terms' rarities come from the whole collection."""
    follows_up: bool = False
    """Whether it depends on the conversation or includes words from it."""
