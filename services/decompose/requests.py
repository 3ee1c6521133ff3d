"""Requests to the decompose stage, with the field names of its contract."""

from dataclasses import dataclass, field

from libs.contracts.conversation import ConversationView
from libs.contracts.query import Strategy


@dataclass(frozen=True, slots=True)
class CondenseRequest:
    """A turn to condense, and how."""

    question: str
    """The last turn, verbatim."""
    view: ConversationView = field(default_factory=ConversationView)
    """The conversation before it."""
    strategy: Strategy | None = None
    """None for the setting's default."""
    context_sentences: int = 0
    """How many sentences the strategy MMR selects; 0 for the setting's default."""
    wordings: tuple[str, ...] = ()
    """The caller's own rewordings for the strategy MULTI_QUERY."""
