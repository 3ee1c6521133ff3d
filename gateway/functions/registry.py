"""Runs a node's function: parses the arguments by its signature and calls the registered function."""

from collections.abc import Callable, Mapping
from itertools import cycle
from types import MappingProxyType
from typing import Any, Final

from gateway.functions import dated, numbers
from gateway.functions.day_ranges import read_stretch
from gateway.functions.faults import FunctionFailed
from gateway.functions.quantities import read_quantity, read_unit
from gateway.functions.results import Result, in_words
from libs.contracts.query import FunctionCall
from libs.graph.signatures import SIGNATURES, ArgumentKind, fault_of

FUNCTIONS: Final[Mapping[str, Callable[..., Result]]] = MappingProxyType(
    {
        "date_difference": dated.date_difference,
        "is_before": dated.is_before,
        "is_after": dated.is_after,
        "earliest": dated.earliest,
        "latest": dated.latest,
        "year_of": dated.year_of,
        "is_greater": numbers.is_greater,
        "is_less": numbers.is_less,
        "greatest": numbers.greatest,
        "least": numbers.least,
        "add": numbers.add,
        "subtract": numbers.subtract,
        "multiply": numbers.multiply,
        "divide": numbers.divide,
        "count": numbers.count,
        "convert": numbers.convert,
    }
)
"""One function for each name in `libs.graph.signatures`."""


def _name(text: str, _language: str) -> str:
    name = text.strip()
    if not name:
        raise FunctionFailed("a name is missing")
    return name


_READERS: Final[Mapping[ArgumentKind, Callable[[str, str], Any]]] = MappingProxyType(
    {
        ArgumentKind.NAME: _name,
        ArgumentKind.DATE: read_stretch,
        ArgumentKind.NUMBER: read_quantity,
        ArgumentKind.UNIT: read_unit,
    }
)


def compute(call: FunctionCall, language: str) -> str:
    """Return a function's result as a short answer; its arguments are text with every `#id` filled in.

    Args:
        call: the function and its arguments.
        language: of the arguments and the result, ISO 639-1.

    Raises:
        FunctionFailed: the function isn't registered, or its arguments are too few, too many, unparsable, or
            incompatible with it.
    """
    if fault := fault_of(call):
        raise FunctionFailed(fault)
    kinds = SIGNATURES[call.name].arguments
    values = [_READERS[kind](argument, language) for kind, argument in zip(cycle(kinds), call.arguments, strict=False)]
    width = len(kinds)
    if SIGNATURES[call.name].repeats and width > 1:
        values = [tuple(values[start : start + width]) for start in range(0, len(values), width)]
    return in_words(FUNCTIONS[call.name](*values), language)
