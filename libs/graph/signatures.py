"""The functions that a node may call: planners choose them by name and the gateway runs them; no code is evaluated."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from libs.contracts.query import FunctionCall


class ArgumentKind(StrEnum):
    """How an argument is parsed."""

    NAME = "NAME"
    """Any words."""
    DATE = "DATE"
    """A day, month or year in words."""
    NUMBER = "NUMBER"
    """A number with its unit, if it has one."""
    UNIT = "UNIT"
    """The name of a unit."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The arguments of a function."""

    arguments: tuple[ArgumentKind, ...]
    meaning: str
    """Description for a language model and for people."""
    repeats: bool = False
    """Whether the argument list may be repeated."""

    def takes(self, count: int) -> bool:
        """Whether the function accepts `count` arguments."""
        if not self.repeats:
            return count == len(self.arguments)
        return count > 0 and count % len(self.arguments) == 0


_NAME, _DATE, _NUMBER, _UNIT = ArgumentKind

SIGNATURES: Mapping[str, Signature] = MappingProxyType(
    {
        "date_difference": Signature(
            (_DATE, _DATE, _UNIT), "time from one date to another, in days, weeks, months or years"
        ),
        "is_before": Signature((_DATE, _DATE), "whether the first date comes before the second one"),
        "is_after": Signature((_DATE, _DATE), "whether the first date comes after the second one"),
        "is_greater": Signature((_NUMBER, _NUMBER), "whether the first number is greater than the second one"),
        "is_less": Signature((_NUMBER, _NUMBER), "whether the first number is less than the second one"),
        "earliest": Signature((_NAME, _DATE), "of pairs name, date: the name with the earliest date", repeats=True),
        "latest": Signature((_NAME, _DATE), "of pairs name, date: the name with the latest date", repeats=True),
        "greatest": Signature(
            (_NAME, _NUMBER), "of pairs name, number: the name with the greatest number", repeats=True
        ),
        "least": Signature((_NAME, _NUMBER), "of pairs name, number: the name with the least number", repeats=True),
        "add": Signature((_NUMBER,), "the sum of numbers of one kind", repeats=True),
        "subtract": Signature((_NUMBER, _NUMBER), "the first number less the second one"),
        "multiply": Signature((_NUMBER, _NUMBER), "two numbers multiplied, at most one of them with a unit"),
        "divide": Signature((_NUMBER, _NUMBER), "how many times the second number the first one is"),
        "count": Signature((_NAME,), "how many different answers there are", repeats=True),
        "convert": Signature((_NUMBER, _UNIT), "a number in another unit of its kind"),
        "year_of": Signature((_DATE,), "the year of a date"),
    }
)
"""Signatures by function name."""


def fault_of(call: FunctionCall) -> str | None:
    """What is wrong with a call's name or number of arguments, in words for people; None if it is valid."""
    signature = SIGNATURES.get(call.name)
    if signature is None:
        return f"no function {call.name!r} is registered"
    if not signature.takes(len(call.arguments)):
        kinds = ", ".join(kind.value.lower() for kind in signature.arguments)
        several = ", several times over" if signature.repeats else ""
        return f"{call.name} takes {kinds}{several}, and got {len(call.arguments)} arguments"
    return None
