"""Structured answers: requested with a JSON schema, read into a dataclass, repaired once."""

import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, TypeVar, cast

from libs.contracts.usage import Usage
from libs.llm.errors import LlmUnavailable, LlmUnusable
from libs.llm.forms import FormError, read_form, schema_of
from libs.llm.messages import ChatModel, Delta, Message
from libs.llm.partial_json import ObjectReader, Watch
from libs.llm.usage import total_usage

Form = TypeVar("Form")

_LONGEST_QUOTE = 2000
"""Most characters of an invalid answer that are quoted to the model (taste)."""


async def complete_form(
    model: ChatModel,
    messages: Sequence[Message],
    form: type[Form],
    *,
    task: str,
    max_tokens: int | None = None,
    check: Callable[[Form], str | None] | None = None,
    watch: Watch | None = None,
    mend: bool = True,
) -> tuple[Form, Usage]:
    """Have the model fill in a form (`libs.llm.forms` says which dataclasses are supported).

    An answer that isn't JSON, violates the form or fails `check` is sent back to the model once, with the error.

    Args:
        model: fills in the form.
        messages: the chat that asks for it.
        form: a dataclass.
        task: see `ChatModel.stream`.
        max_tokens: see `ChatModel.stream`.
        check: returns what is wrong with a filled form beyond its types, None if it is valid.
        watch: receives the complete fields of the first answer, as plain JSON values, while it is being written.
        mend: whether to ask again after an invalid answer.

    Returns:
        The form, and the usage of all requests together.

    Raises:
        LlmUnusable: the second answer is invalid too, or the first one if `mend` is false.
        LlmUnavailable, LlmTooSlow: see `ChatModel.stream`.
    """
    schema = schema_of(cast(Any, form))
    ask = partial(model.stream, task=task, max_tokens=max_tokens, schema=schema)
    text, usage = await _whole(ask(messages), watch)
    try:
        return _fill(form, text, check), usage
    except FormError as error:
        if not mend:
            raise LlmUnusable("the language model's answer does not follow its form") from error
        repair = [*messages, Message("assistant", text[:_LONGEST_QUOTE]), _complaint(error, schema)]
    text, usage_of_repair = await _whole(ask(repair))
    try:
        return _fill(form, text, check), total_usage([usage, usage_of_repair])
    except FormError as error:
        raise LlmUnusable("the language model's answer does not follow its form, even when asked again") from error


async def _whole(stream: AsyncGenerator[Delta, None], watch: Watch | None = None) -> tuple[str, Usage]:
    """The text and usage of a stream; its fields are passed to `watch` as they are completed.

    Raises:
        LlmUnavailable: the stream ended without its usage.
    """
    text, fields = "", ObjectReader()
    async with aclosing(stream) as deltas:
        async for delta in deltas:
            text += delta.text
            if watch is not None and fields.read(delta.text):
                watch(fields.fields)
            if delta.usage is not None:
                return text, delta.usage
    raise LlmUnavailable("the language model's stream broke off")


def _fill(form: type[Form], text: str, check: Callable[[Form], str | None] | None) -> Form:
    start, end = text.find("{"), text.rfind("}")  # a code fence or words may surround it
    if start < 0 or end < start:
        raise FormError("the answer must be a JSON object")
    value = read_form(form, text[start : end + 1])
    if check and (wrong := check(value)):
        raise FormError(wrong)
    return value


def _complaint(error: FormError, schema: dict[str, object]) -> Message:
    return Message(
        "user",
        f"That can't be used: {error}. Answer again, with nothing but one JSON object that follows this schema:\n"
        + json.dumps(schema, ensure_ascii=False),
    )
