"""A conversation as the ladder reads it."""

from dataclasses import dataclass
from functools import cached_property

from services.decompose.condense.topic import Topic, read_topic
from services.decompose.history import HistoryWindow
from services.decompose.words.domain import Domain


@dataclass(frozen=True)
class ConversationReading:
    """What the steps of the ladder know of a conversation."""

    window: HistoryWindow
    names: frozenset[str]
    """Words that are names somewhere in the conversation."""
    questions: tuple[str, ...]
    """The window's user turns, as they stand alone or as they were said."""
    domain: Domain

    @property
    def frame(self) -> str:
        """The previous question; empty when there is none."""
        return self.questions[-1] if self.questions else ""

    @cached_property
    def topic(self) -> Topic:
        """What was spoken of; read when a step asks for it, since most turns stand alone."""
        return read_topic(self.window, self.questions, self.domain, self.names)
