"""Calls of functions: how many arguments each takes, and what is said of a call that does not fit."""

import pytest

from libs.contracts.query import FunctionCall
from libs.graph.signatures import SIGNATURES, fault_of


@pytest.mark.parametrize(
    ("name", "counts"),
    [("is_before", [2]), ("date_difference", [3]), ("count", [1, 2, 3, 4, 5, 6]), ("earliest", [2, 4, 6])],
)
def test_a_function_takes_its_arguments_and_a_repeating_one_whole_rounds_of_them(name: str, counts: list[int]) -> None:
    assert [count for count in range(7) if SIGNATURES[name].takes(count)] == counts


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (FunctionCall("is_before", ("1969", "1971")), None),
        (FunctionCall("is_before", ("1969",)), "is_before takes date, date, and got 1 arguments"),
        (
            FunctionCall("earliest", ("Luna 9", "1966", "Luna 2")),
            "earliest takes name, date, several times over, and got 3 arguments",
        ),
        (FunctionCall("guess"), "no function 'guess' is registered"),
    ],
)
def test_a_call_that_does_not_fit_is_described(call: FunctionCall, fault: str | None) -> None:
    assert fault_of(call) == fault
