"""A conversation as the ladder reads it."""

from dataclasses import dataclass

from services.decompose.domain import Domain
from services.decompose.history import Window
from services.decompose.topic import Topic, read_topic


@dataclass(frozen=True, slots=True)
class Reading:
    """What the steps of the ladder know of a conversation."""

    window: Window
    names: frozenset[str]
    """Words that are names somewhere in the conversation."""
    questions: tuple[str, ...]
    """The window's user turns as they stand alone."""
    topic: Topic
    domain: Domain

    @property
    def frame(self) -> str:
        """The previous question as it stands alone; empty when there is none."""
        return self.questions[-1] if self.questions else ""


def read(window: Window, names: frozenset[str], questions: tuple[str, ...], domain: Domain) -> Reading:
    """A window with its topic; `questions` are its user turns, made to stand alone or as they were said."""
    return Reading(window, names, questions, read_topic(window, questions, domain, names), domain)
