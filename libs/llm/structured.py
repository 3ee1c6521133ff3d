"""Answers in a form: asked for by JSON schema, read into a dataclass, repaired once."""

import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import TypeVar

from libs.contracts.usage import Usage
from libs.llm.early import ObjectReader, Watch
from libs.llm.errors import LlmUnavailable, LlmUnusable
from libs.llm.forms import FormError, read_form, schema_of
from libs.llm.messages import ChatModel, Completion, Delta, Message
from libs.llm.usage import total_usage

Form = TypeVar("Form")

_LONGEST_QUOTE = 2000
"""Characters of a wrong answer that are shown to the model again."""


async def structured(
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
    """Have a form filled in (`libs.llm.forms` tells which dataclasses can be one).

    An answer that is no JSON, breaks the form or fails `check` is shown to the model with what is wrong, once.

    Args:
        model: who fills it in.
        messages: the chat that asks for it.
        form: a dataclass.
        task: as for `ChatModel.complete`.
        max_tokens: as for `ChatModel.complete`.
        check: says what is wrong with a filled form beyond its types, None when nothing is.
        watch: told the complete fields of the first form while it is still being written, as plain JSON values.
        mend: whether a wrong answer is asked for again.

    Returns:
        The form, and the usage of both requests together.

    Raises:
        LlmUnusable: the second answer is wrong too, or the first where it is not asked for again.
        LlmUnavailable, LlmTooSlow: as `ChatModel.complete`.
    """
    schema = schema_of(form)
    if watch is None:
        first = await model.complete(messages, task=task, max_tokens=max_tokens, schema=schema)
    else:
        first = await _watched(model.stream(messages, task=task, max_tokens=max_tokens, schema=schema), watch)
    try:
        return _filled(form, first.text, check), first.usage
    except FormError as error:
        if not mend:
            raise LlmUnusable("the language model did not keep to the form") from error
        repair = [*messages, Message("assistant", first.text[:_LONGEST_QUOTE]), _complaint(error, schema)]
    second = await model.complete(repair, task=task, max_tokens=max_tokens, schema=schema)
    try:
        return _filled(form, second.text, check), total_usage([first.usage, second.usage])
    except FormError as error:
        raise LlmUnusable("the language model did not keep to the form, asked twice") from error


async def _watched(stream: AsyncGenerator[Delta, None], watch: Watch) -> Completion:
    """The whole answer of a stream whose fields are told as they come.

    Raises:
        LlmUnavailable: it ended without its usage.
    """
    text, fields = "", ObjectReader()
    async with aclosing(stream) as deltas:
        async for delta in deltas:
            text += delta.text
            if fields.read(delta.text):
                watch(fields.fields)
            if delta.usage is not None:
                return Completion(text, delta.usage, delta.truncated)
    raise LlmUnavailable("the language model's stream broke off")


def _filled(form: type[Form], text: str, check: Callable[[Form], str | None] | None) -> Form:
    filled = read_form(form, _json_in(text))
    if check and (wrong := check(filled)):
        raise FormError(wrong)
    return filled


def _json_in(text: str) -> object:
    """The JSON object in a text that may have a code fence or words around it."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise FormError("the answer: must be a JSON object")
    try:
        return json.loads(text[start : end + 1])
    except (ValueError, RecursionError) as error:
        raise FormError(f"the answer: is not JSON ({error})") from error


def _complaint(error: FormError, schema: dict[str, object]) -> Message:
    return Message(
        "user",
        f"That can't be used: {error}. Answer again, with nothing but one JSON object that follows this schema:\n"
        + json.dumps(schema, ensure_ascii=False),
    )
