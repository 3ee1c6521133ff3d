"""Errors of a language model; their reasons are also the reasons of degraded results."""

# ruff: noqa: N818 - named like the errors of libs.runtime.errors

from libs.contracts.usage import Usage
from libs.runtime.errors import DeadlineExceeded, ParleyError, Unavailable


class LlmError(ParleyError):
    """The language model couldn't do its task; the rules can be used instead."""

    usage: Usage | None = None
    """The usage of the unusable answer, if known."""


class LlmUnavailable(LlmError, Unavailable):
    """The endpoint is down, unreachable, overloaded, refuses the request, or broke off a stream."""

    def __init__(self, message: str = "the language model is not available", retry_after: float | None = None) -> None:
        Unavailable.__init__(self, "LLM_UNAVAILABLE", message, retry_after)


class LlmTooSlow(LlmError, DeadlineExceeded):
    """The answer was not complete in time."""

    def __init__(self, message: str = "the language model took too long") -> None:
        DeadlineExceeded.__init__(self, message, "LLM_TOO_SLOW")


class LlmUnusable(LlmError, Unavailable):
    """The answer is unusable: empty, not a chat completion, or not in the requested form."""

    def __init__(self, message: str = "the language model's answer can't be used") -> None:
        Unavailable.__init__(self, "LLM_UNUSABLE", message)


class BudgetUsedUp(LlmError):
    """The request's own budget was exhausted before the end, or allows no answer at all."""

    def __init__(self, message: str) -> None:
        super().__init__("BUDGET_EXHAUSTED", message)
