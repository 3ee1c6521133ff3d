"""The fields of a JSON object while it is still being written, and work that reports steps before its result."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar

Early = TypeVar("Early")
Result = TypeVar("Result")

Watch = Callable[[Mapping[str, Any]], None]
"""Receives the complete fields of the object that a model is asked for, whenever further ones are complete."""

_READER: Final = json.JSONDecoder()
_BLANK: Final = " \t\r\n"
_BEGINS: Final = re.compile(r"\s*(?:```\w*\s*)?\{")


class ObjectReader:
    """Reads the top-level fields of a JSON object from its text as it arrives.

    A code fence before the object is skipped. If words precede the object, no fields are reported: they may be
    thoughts, and the object a draft among them. A field is complete when the comma or brace behind it is there. From
    invalid JSON on nothing is reported; the caller parses the whole text at the end and gets the object or the error.
    """

    def __init__(self) -> None:
        self.fields: dict[str, Any] = {}
        """The fields that are complete."""
        self._text = ""
        self._at = -1
        self._over = False

    def read(self, text: str) -> bool:
        """Add a piece of the text; returns whether it completes a field of a new name."""
        self._text += text
        before = len(self.fields)
        if self._at < 0 and (begins := _BEGINS.match(self._text)):
            self._at = begins.end()
        while self._at > 0 and not self._over and self._next_field():
            pass
        return len(self.fields) > before

    def _next_field(self) -> bool:
        """Read one more field if it is complete; returns whether it was."""
        at = self._after_blank(self._at)
        if at < len(self._text) and self._text[at] != '"':
            self._over = True
        try:
            name, at = _READER.raw_decode(self._text, at)
            colon = self._after_blank(at)
            value, at = _READER.raw_decode(self._text, self._after_blank(colon + 1))
        except (ValueError, RecursionError):
            return False
        end = self._after_blank(at)
        if self._over or self._text[colon] != ":" or self._text[end : end + 1] not in {",", "}"}:  # 0 may become 0.9
            return False
        self.fields[name] = value
        self._at, self._over = end + 1, self._text[end] != ","
        return True

    def _after_blank(self, at: int) -> int:
        while at < len(self._text) and self._text[at] in _BLANK:
            at += 1
        return at


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
