"""The fields of a JSON object while it is still being written, and work that reports steps before its result."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar

from libs.language.characters import seen

Early = TypeVar("Early")
Result = TypeVar("Result")

Watch = Callable[[Mapping[str, Any]], None]
"""Receives the complete fields of the object that a model is asked for, whenever further ones are complete."""

_BEGINS: Final = re.compile(r"\s*(?:```\w*\s*)?(?=\{)")
_FIELD_END: Final = re.compile(r"[,}]")


class ObjectReader:
    """Reads the top-level fields of a JSON object from its text as it arrives.

    A code fence before the object is skipped. If words precede the object, no fields are reported: they may be
    thoughts, and the object a draft among them. A field is complete when the comma or brace behind it is there. From
    invalid JSON on nothing is reported; the caller parses the whole text at the end and gets the object or the error.
    """

    def __init__(self) -> None:
        self.fields: Mapping[str, Any] = {}
        """The fields that are complete."""
        self._text = ""

    def read(self, piece: str) -> bool:
        """Add a piece of the text; returns whether it completes a field of a new name."""
        known = len(self._text)
        self._text += piece
        if (begins := _BEGINS.match(self._text)) is None:
            return False
        for end in reversed(list(_FIELD_END.finditer(self._text, known))):
            with suppress(ValueError, RecursionError):  # a comma within a value: what precedes it is no object
                fields = seen(json.loads(self._text[begins.end() : end.start()] + "}"))
                is_new, self.fields = len(fields) > len(self.fields), fields
                return is_new
        return False


async def in_steps(
    work: Callable[[Callable[[Early], None]], Awaitable[Result]],
) -> AsyncGenerator[Early | Result, None]:
    """Yield the steps that `work` reports, as it reports them, then its result; closing it cancels the work.

    Steps are reported from the event loop's own thread and are not None; they queue without a limit.

    Raises:
        Exception: the work's own error, after all its steps.
    """
    steps: asyncio.Queue[Early | None] = asyncio.Queue()

    async def run() -> Result:
        try:
            return await work(steps.put_nowait)
        finally:
            steps.put_nowait(None)

    task = asyncio.create_task(run())
    try:
        while (step := await steps.get()) is not None:
            yield step
        yield await task
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
