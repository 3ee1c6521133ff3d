"""The earlier messages of a conversation, and what a stage gets of them, as plain values."""

from dataclasses import dataclass
from enum import StrEnum

from libs.contracts.evidence import RankedPassage


class Speaker(StrEnum):
    """The author of a message."""

    USER = "USER"
    AGENT = "AGENT"


@dataclass(frozen=True, slots=True)
class HistoryMessage:
    """One message of an earlier turn."""

    speaker: Speaker
    text: str
    passages: tuple[RankedPassage, ...] = ()
    """For an agent's message: the first passages that were found for its turn, the best first; empty if unknown."""


@dataclass(frozen=True, slots=True)
class ConversationView:
    """The part of a conversation that a stage reads: recent messages whole, oldest first, older ones as a summary."""

    messages: tuple[HistoryMessage, ...] = ()
    summary: str = ""
    offered_choices: tuple[str, ...] = ()
    """The options of the newest turn, if that turn asked back."""
    first_turn: int = 0
    """Number of user turns before the first message."""
    asked_back: bool = False
    """Whether the newest turn was answered with a question: this one may supply the missing information."""
