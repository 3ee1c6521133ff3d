"""What was said before."""

from dataclasses import dataclass
from enum import StrEnum


class Speaker(StrEnum):
    """Who said it."""

    USER = "USER"
    AGENT = "AGENT"


@dataclass(frozen=True, slots=True)
class HistoryMessage:
    """One utterance of an earlier turn."""

    speaker: Speaker
    text: str
    passage_ids: tuple[str, ...] = ()
    """Of the agent's words: the passages that they stand on, the best first; empty when unknown."""


@dataclass(frozen=True, slots=True)
class ConversationView:
    """The part of a conversation that a stage reads: recent messages whole, oldest first, older ones as a summary."""

    messages: tuple[HistoryMessage, ...] = ()
    summary: str = ""
    offered_choices: tuple[str, ...] = ()
    """The options of the newest turn, when that turn asked back."""
    first_turn: int = 0
    """How many user turns came before the first message."""
    asked_back: bool = False
    """Whether the newest turn was asked back: this one may supply what it lacked."""
