"""Records the usage of all answers of a model: used, rejected and requested again, or abandoned.

The usage of a call that failed is in the metadata of its error: there is no result that could hold it.
"""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from libs.contracts.usage import CostSource, Stage, Usage, UsageSource
from libs.llm.errors import LlmError
from libs.llm.messages import ChatModel, Delta, JsonSchema, Message
from libs.runtime.errors import ParleyError


@dataclass(frozen=True, slots=True)
class Tallied:
    """A `ChatModel` that records the usage of its answers in `used`.

    A failed request is recorded only if its error carries a usage.
    """

    model: ChatModel
    used: list[Usage]

    async def stream(
        self, messages: Sequence[Message], *, task: str, max_tokens: int | None = None, schema: JsonSchema | None = None
    ) -> AsyncGenerator[Delta, None]:
        """Yield the answer in pieces; errors are those of the model."""
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


INPUT: Final = "input_tokens"
OUTPUT: Final = "output_tokens"


def attach_usage(error: ParleyError, usage: Iterable[Usage]) -> None:
    """Add the tokens of a model's answers, if any, to the error's metadata, which reaches the caller."""
    answers = tuple(usage)
    read, written = sum(item.input_tokens for item in answers), sum(item.output_tokens for item in answers)
    if read or written:
        error.metadata = {**error.metadata, INPUT: str(read), OUTPUT: str(written)}


def usage_of_failure(error: ParleyError, stage: Stage, task: str) -> tuple[Usage, ...]:
    """Return the token usage in the error of a stage's task, at an unknown cost; empty if it has none."""
    read, written = (_count(error.metadata.get(name, "")) for name in (INPUT, OUTPUT))
    if not (read or written):
        return ()
    usage = Usage(stage, task, input_tokens=read, output_tokens=written)
    return (replace(usage, usage_source=UsageSource.ESTIMATED, cost_source=CostSource.UNKNOWN),)


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() else 0
