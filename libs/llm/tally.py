"""The usage of a call that failed, in the metadata of its error: there is no result that could hold it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from libs.contracts.usage import CostSource, Stage, Usage, UsageSource
from libs.runtime.errors import ParleyError

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
