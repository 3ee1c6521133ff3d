"""What is asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from libs.contracts.query import SearchedTerm


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked, in which language."""

    question: str
    language: str
    terms: Sequence[SearchedTerm]
    whole_index: bool = True
    """Whether their rarities are those of the whole collection."""
    follows_up: bool = False
    """Whether it leans on the conversation, or has words of it."""
