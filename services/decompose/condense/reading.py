"""A conversation as the ladder reads it."""

from dataclasses import dataclass
from functools import cached_property

from services.decompose.condense.topic import Topic, read_topic
from services.decompose.history import HistoryWindow
from services.decompose.words.domain import Domain


@dataclass(frozen=True)
class ConversationReading:
    """A conversation's window, names and questions, shared by the steps of the ladder."""

    window: HistoryWindow
    names: frozenset[str]
    """Words that are names somewhere in the conversation."""
    questions: tuple[str, ...]
    """The window's user turns, as standalone questions or verbatim."""
    domain: Domain
    language: str
    """ISO 639-1."""

    @property
    def frame(self) -> str:
        """The previous question; empty if there is none."""
        return self.questions[-1] if self.questions else ""

    @cached_property
    def topic(self) -> Topic:
        """The topic of the conversation; computed on demand, because most turns are standalone."""
        return read_topic(self.window, self.questions, self.domain, self.names, self.language)
