"""Functions over short answers: what they compute from words, what stays open, and what is refused with the reason."""

from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.graph.faults import FunctionFailed
from gateway.graph.functions import FUNCTIONS, compute
from libs.contracts.query import FunctionCall
from libs.graph.signatures import SIGNATURES

DAYS = st.dates(min_value=date(1000, 1, 1), max_value=date(2200, 12, 31))


def call(name: str, *arguments: str) -> str:
    return compute(FunctionCall(name, arguments), "en")


@pytest.mark.parametrize(
    ("language", "name", "arguments", "answer"),
    [
        ("en", "date_difference", ("31 January 1966", "1 December 2013", "years"), "47 years"),
        ("en", "date_difference", ("on 3 April 1966", "31 March 1966", "days"), "3 days"),
        ("en", "date_difference", ("April 1973", "15 October 1997", "years"), "24 years"),
        ("en", "date_difference", ("1973", "15 October 1997", "years"), "23 to 24 years"),
        ("en", "date_difference", ("31 March 2020", "30 April 2020", "months"), "0 months"),
        ("en", "date_difference", ("1 May 2020", "10 June 2020", "month"), "1 month"),
        ("en", "is_before", ("16 July 1969", "17 August 1970"), "yes"),
        ("en", "is_before", ("1971", "16 July 1969"), "no"),
        ("en", "is_before", ("16 July 1969", "16 July 1969"), "no"),
        ("en", "is_after", ("2010", "March 1999"), "yes"),
        ("en", "earliest", ("Cassini", "15 October 1997", "Galileo", "18 October 1989"), "Galileo"),
        ("en", "latest", ("Cassini", "15 October 1997", "Galileo", "1989", "Luna 9", "1966"), "Cassini"),
        ("en", "year_of", ("on 14 December 2013",), "2013"),
        ("en", "year_of", ("1972",), "1972"),
        ("en", "is_greater", ("1,731 grams", "1.5 kilograms"), "yes"),
        ("en", "is_greater", ("about 240 kilograms", "0.3 tonnes"), "no"),
        ("en", "is_less", ("20 °C", "100 °F"), "yes"),
        ("en", "greatest", ("Zhurong", "240 kilograms", "Sojourner", "10.6 kilograms"), "Zhurong"),
        ("en", "least", ("a", "3 miles", "b", "4 km"), "b"),
        ("en", "add", ("101 grams", "1.9353 kilograms"), "2,036.3 g"),
        ("en", "subtract", ("72 flights", "5"), "67"),
        ("en", "multiply", ("1.5 km", "4"), "6 km"),
        ("en", "divide", ("1,025 kilograms", "10.6 kilograms"), "96.6981"),
        ("en", "divide", ("9 hours", "3"), "3 hours"),
        ("en", "count", ("Viking 1", "viking 1", "Phoenix"), "2"),
        ("en", "convert", ("26.2 miles", "km"), "42.1648 km"),
        ("en", "convert", ("0 °C", "K"), "273.15 K"),
        ("en", "convert", ("90 minutes", "hours"), "1.5 hours"),
        ("de", "date_difference", ("14. Mai 1904", "3. Juni 1911", "Jahre"), "7 Jahre"),
        ("de", "date_difference", ("1904", "3. Juni 1911", "Jahre"), "6 bis 7 Jahre"),
        ("de", "is_before", ("14. Mai 1904", "1911"), "ja"),
        ("de", "is_greater", ("3,8 Kilometer", "4.200 Meter"), "nein"),
        ("de", "add", ("1,5 Tonnen", "1.000 Kilogramm"), "2,5 Tonnen"),
        ("de", "multiply", ("1.250 km", "4"), "5.000 km"),
        ("de", "convert", ("90 Minuten", "Stunden"), "1,5 Stunden"),
        ("de", "latest", ("Linie 1", "1897", "Linie 3", "14. Mai 1904"), "Linie 3"),
        ("fi", "convert", ("90 min", "h"), "1.5 hours"),  # has no words of its own for results
    ],
)
def test_a_function_computes_from_words(language: str, name: str, arguments: tuple[str, ...], answer: str) -> None:
    assert compute(FunctionCall(name, arguments), language) == answer


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("__import__", ("os",), "no function '__import__'"),
        ("is_before", ("1969",), "got 1 arguments"),
        ("earliest", ("Luna 9", "1966", "Luna 10"), "got 3 arguments"),
        ("earliest", (), "got 0 arguments"),
        ("is_before", ("Mare Imbrium", "1969"), "“Mare Imbrium” is not a date"),
        ("is_before", ("1971", "May 1971"), "overlap, so it is unknown"),
        ("earliest", ("a", "4 May 1989", "b", "4 May 1989"), "the same date"),
        ("date_difference", ("1971", "3 May 1989", "days"), "“1971” is not precise enough"),
        ("date_difference", ("1971", "1989", "kilometres"), "cannot be counted in km"),
        ("date_difference", ("1971", "1989", "aeons"), "“aeons” is not a known unit"),
        ("year_of", ("between 1969 and 1972",), "spans more than one year"),
        ("is_greater", ("about 12 kilometres", "3 tonnes"), "cannot be converted to km"),
        ("is_greater", ("12", "3 tonnes"), "cannot be converted to a bare number"),
        ("is_greater", ("$12", "€3"), "cannot be converted to USD"),
        ("is_greater", ("20 July 1969", "3"), "“20 July 1969” is not a number"),
        ("greatest", ("a", "1 km", "b", "1000 m"), "have the same value"),
        ("multiply", ("2 km", "3 km"), "both have a unit"),
        ("divide", ("2 km", "0"), "divided by 0"),
        ("convert", ("two metres", "a while"), "is not a known unit"),
    ],
)
def test_what_cannot_be_computed_is_refused_with_the_reason(name: str, arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(FunctionFailed, match=why) as error:
        call(name, *arguments)
    assert error.value.reason == "FUNCTION_FAILED"


def test_planners_and_the_registry_know_the_same_functions() -> None:
    assert FUNCTIONS.keys() == SIGNATURES.keys()


@given(DAYS, DAYS)
def test_days_between_dates_do_not_depend_on_their_order(one: date, other: date) -> None:
    assert call("date_difference", str(one), str(other), "days") == call(
        "date_difference", str(other), str(one), "days"
    )


@given(st.sampled_from(sorted(SIGNATURES)), st.lists(st.text(max_size=20), max_size=5))
def test_any_words_are_computed_or_refused_and_nothing_else_happens(name: str, arguments: list[str]) -> None:
    with suppress(FunctionFailed):
        assert call(name, *arguments)
