"""Requests and answers of a chat model, independent of the implementation."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

from libs.contracts.usage import Usage

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

    def tallied(self, used: list[Usage]) -> Self:
        """The same model, which adds the usage of each answer to a list, also of one that was unusable."""
        ...
