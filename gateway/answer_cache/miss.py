"""What an answer may be cached as: its key, and the state of the suite before it was made."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """The key of an answer."""

    question: bytes
    """What is known once the question is condensed."""
    answer: bytes
    """The same with what was understood of it."""


@dataclass(frozen=True, slots=True)
class SuiteState:
    """What an answer depends on outside of its turn."""

    corpus_version: str
    """Of the collection that was searched."""
    engines: str
    """A digest of the engines, models, prompts and settings of all stages."""


@dataclass(frozen=True, slots=True)
class CacheMiss:
    """An answer that is made because none was cached."""

    key: AnswerKey
    state: SuiteState
    """Before it was made."""
