"""The tokens of a call that failed, told with its error: there is no result then that could name them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from libs.contracts.usage import CostSource, Stage, Usage, UsageSource
from libs.runtime.errors import ParleyError

INPUT: Final = "input_tokens"
OUTPUT: Final = "output_tokens"


def tell_usage(error: ParleyError, usage: Iterable[Usage]) -> None:
    """Put the tokens of all answers of a model into the error's metadata, which reach the caller; none: nothing."""
    answers = tuple(usage)
    read, written = sum(item.input_tokens for item in answers), sum(item.output_tokens for item in answers)
    if read or written:
        error.metadata = {**error.metadata, INPUT: str(read), OUTPUT: str(written)}


def usage_told(error: ParleyError, stage: Stage, task: str) -> tuple[Usage, ...]:
    """Return what an error of a stage's task tells of its tokens, at an unknown cost; empty if it tells nothing."""
    read, written = (_count(error.metadata.get(name, "")) for name in (INPUT, OUTPUT))
    if not (read or written):
        return ()
    usage = Usage(stage, task, input_tokens=read, output_tokens=written)
    return (replace(usage, usage_source=UsageSource.ESTIMATED, cost_source=CostSource.UNKNOWN),)


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() else 0
