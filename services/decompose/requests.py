"""What the decompose stage is asked, with the field names of its contract."""

from dataclasses import dataclass, field

from libs.contracts.conversation import ConversationView
from libs.contracts.query import Strategy


@dataclass(frozen=True, slots=True)
class CondenseRequest:
    """A turn that is made to stand alone, and how."""

    question: str
    """The last turn, as it was said."""
    view: ConversationView = field(default_factory=ConversationView)
    """The conversation before it."""
    strategy: Strategy | None = None
    """None for the setting's."""
    context_sentences: int = 0
    """How many sentences the strategy MMR chooses; 0 for the setting's."""
    wordings: tuple[str, ...] = ()
    """The caller's own rewordings for the strategy MULTI_QUERY."""
