"""Records the usage of all answers of a model: used, rejected and requested again, or abandoned."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from libs.contracts.usage import Usage
from libs.llm.errors import LlmError
from libs.llm.messages import ChatModel, Completion, Delta, JsonSchema, Message


@dataclass(frozen=True, slots=True)
class Tallied:
    """A `ChatModel` that records the usage of its answers in `used`.

    A failed request is recorded only if its error carries a usage.
    """

    model: ChatModel
    used: list[Usage]

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        task: str,
        max_tokens: int | None = None,
        schema: JsonSchema | None = None,
    ) -> Completion:
        """See `ChatModel.complete`."""
        try:
            completion = await self.model.complete(messages, task=task, max_tokens=max_tokens, schema=schema)
        except LlmError as error:
            if error.usage is not None:
                self.used.append(error.usage)
            raise
        self.used.append(completion.usage)
        return completion

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        task: str,
        max_tokens: int | None = None,
        schema: JsonSchema | None = None,
    ) -> AsyncGenerator[Delta, None]:
        """See `ChatModel.stream`."""
        stream = self.model.stream(messages, task=task, max_tokens=max_tokens, schema=schema)
        try:
            async with aclosing(stream) as deltas:
                async for delta in deltas:
                    if delta.usage is not None:
                        self.used.append(delta.usage)
                    yield delta
        except LlmError as error:
            if error.usage is not None:
                self.used.append(error.usage)
            raise
