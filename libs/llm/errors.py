"""What can go wrong with a language model; each reason is what a degraded result is said with."""

# ruff: noqa: N818 - named as the failures of libs.runtime.errors

from collections.abc import Mapping

from libs.contracts.usage import Usage
from libs.runtime.errors import DeadlineExceeded, ParleyError, Unavailable


class LlmError(ParleyError):
    """The language model couldn't do its task; the rules can be asked instead."""

    usage: Usage | None = None
    """What an answer took that can't be used, where that is known."""


class LlmUnavailable(LlmError, Unavailable):
    """Down, unreachable, overloaded, refusing us, or gone in the middle of a stream."""

    def __init__(
        self,
        message: str = "the language model is not available",
        retry_after: float | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        Unavailable.__init__(self, "LLM_UNAVAILABLE", message, retry_after, metadata)


class LlmTooSlow(LlmError, DeadlineExceeded):
    """No answer, or not all of it, within its time."""

    def __init__(
        self, message: str = "the language model took too long", metadata: Mapping[str, str] | None = None
    ) -> None:
        DeadlineExceeded.__init__(self, message, "LLM_TOO_SLOW", metadata)


class LlmUnusable(LlmError, Unavailable):
    """It answered, but nothing that can be used: empty, no chat completion, or not in the form it was asked for."""

    def __init__(
        self,
        message: str = "the language model's answer can't be used",
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        Unavailable.__init__(self, "LLM_UNUSABLE", message, None, metadata)


class BudgetUsedUp(LlmError):
    """The request's own limit came before the end, or leaves nothing to begin with."""

    def __init__(self, message: str) -> None:
        super().__init__("BUDGET_EXHAUSTED", message)
