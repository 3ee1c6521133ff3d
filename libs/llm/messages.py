"""What goes to a chat model and what comes back, whatever the model."""

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
class Completion:
    """A whole answer."""

    text: str
    usage: Usage
    truncated: bool = False
    """It hit the bound on its tokens."""


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a streamed answer. The last one has no text and carries the usage; without it the stream broke off."""

    text: str = ""
    usage: Usage | None = None
    truncated: bool = False
    """Of the last one: the answer hit the bound on its tokens."""


class ChatModel(Protocol):
    """A language model that answers chats. Every failure is an `LlmError`; asyncio's cancellation stays what it is."""

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        task: str,
        max_tokens: int | None = None,
        schema: JsonSchema | None = None,
    ) -> Completion:
        """A whole answer, held to a JSON schema where one is given (not validated: see `libs.llm.structured`).

        Args:
            messages: the chat, oldest first.
            task: decides model, endpoint, temperature and time by the settings, and names the usage.
            max_tokens: most tokens of the answer; None: the settings' bound.
            schema: JSON schema of an object.

        Raises:
            LlmUnavailable: down, overloaded, refusing, or no endpoint for this task.
            LlmTooSlow: not within the settings' time or the call's deadline.
            LlmUnusable: an empty answer, or no chat completion at all.
        """
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        task: str,
        max_tokens: int | None = None,
        schema: JsonSchema | None = None,
    ) -> AsyncGenerator[Delta, None]:
        """The answer as it is written, its arguments as with `complete`; raises as that does, in the middle too.

        `LlmUnusable` in the middle may say that what came so far were the model's thoughts. Once that was so, they are
        known and held back.

        Close it (`contextlib.aclosing`) or be cancelled within it: the connection to the model is closed at once.
        """
        ...


class PricedModel(ChatModel, Protocol):
    """A chat model that knows what it costs, for tasks with a budget."""

    @property
    def most_output(self) -> int:
        """Most tokens of an answer whose task asks for no other bound."""
        ...

    def price_of(self, task: str) -> Price | None:
        """What the task's model costs by the price table; None where it isn't listed."""
        ...

    def estimated(self, messages: Sequence[Message], text: str, *, task: str, milliseconds: float) -> Usage:
        """What a chat took that was left before the provider told its count."""
        ...
