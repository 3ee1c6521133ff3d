"""Requests and answers of a chat model, independent of the implementation."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from libs.contracts.usage import Usage
from libs.llm.settings import Price

JsonSchema = Mapping[str, Any]
Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a streamed answer. The last one has no text but the usage; without it the stream is incomplete."""

    text: str = ""
    usage: Usage | None = None
    truncated: bool = False
    """In the last piece: whether the answer was cut at its token limit."""


class ChatModel(Protocol):
    """A language model that answers chats. Every failure is an `LlmError`; asyncio's cancellation is not converted."""

    def stream(
        self, messages: Sequence[Message], *, task: str, max_tokens: int | None = None, schema: JsonSchema | None = None
    ) -> AsyncGenerator[Delta, None]:
        """The answer in pieces as it is written.

        Closing it (`contextlib.aclosing`) or a cancellation within it closes the connection to the model at once.

        Args:
            messages: the chat, oldest first.
            task: selects model, endpoint, temperature and timeout in the settings, and names the usage.
            max_tokens: most tokens of the answer; None: the limit in the settings.
            schema: JSON schema of an object that constrains the answer; not validated here: see `libs.llm.structured`.

        Raises:
            LlmUnavailable: the endpoint is down, overloaded, refuses, breaks off, or none is configured for this task.
            LlmTooSlow: no whole answer within the configured timeout or the call's deadline.
            LlmUnusable: the answer is empty, filtered, or not a chat completion; or the text so far was the model's
                thoughts, which are recognized and held back from then on.
        """
        ...


class PricedModel(ChatModel, Protocol):
    """A chat model with known prices, for tasks with a budget."""

    @property
    def most_output(self) -> int:
        """Most tokens of an answer whose task sets no other limit."""
        ...

    def price_of(self, task: str) -> Price | None:
        """The price of the task's model in the price table; None if it isn't listed."""
        ...

    def estimated(self, messages: Sequence[Message], text: str, *, task: str, milliseconds: float) -> Usage:
        """The estimated usage of a chat that was abandoned before the provider reported its count."""
        ...
