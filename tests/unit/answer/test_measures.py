"""When quantities and dates say the same."""

import pytest

from libs.text.dates.document_dates import find_dates
from libs.text.numbers.finder import find_numbers
from services.answer.verification.checks import is_date_supported, is_supported
from services.answer.verification.claims import read_claims


@pytest.mark.parametrize(
    ("claim", "evidence", "same"),
    [
        ("It weighs 320 kg.", "a mass of 320 kilograms", True),
        ("It weighs 320 tonnes.", "a mass of 320 kilograms", False),
        ("It weighs 0.32 tonnes.", "a mass of 320 kilograms", True),
        ("It drove 10.5 km.", "10,500 metres", True),
        ("It drove 6.2 miles.", "10 km", True),
        ("It was minus 179 °C.", "minus 179 degrees Celsius", True),
        ("It returned 7,300 pictures.", "7,329 pictures", False),
        ("It took two hours.", "it took 120 minutes", True),
        ("It took 3 hours.", "three parachutes, two hours", False),
        ("It cost 74 million dollars.", "$74m", True),
        ("It cost 74 billion dollars.", "$74m", False),
    ],
)
def test_a_quantity_is_compared_with_its_unit(claim: str, evidence: str, same: bool) -> None:
    (quantity,) = read_claims(claim, language="en").quantities
    assert is_supported(quantity, find_numbers(evidence, language="en")) is same


@pytest.mark.parametrize(
    ("claim", "evidence", "same"),
    [
        ("in 1971", "on 14 November 1971", True),
        ("in November 1971", "on 14 November 1971", True),
        ("on 14 November 1971", "14 November 1971", True),
        ("on 14 November 1971", "in November 1971", False),
        ("on 15 November 1971", "on 14 November 1971", False),
        ("in December 1971", "on 14 November 1971", False),
        ("from 1969 to 1972", "in 1970", True),
        ("in 1970", "from 1969 to 1972", False),
    ],
)
def test_a_date_is_borne_out_by_one_as_exact_within_it(claim: str, evidence: str, same: bool) -> None:
    (date,) = find_dates(claim, language="en")
    assert is_date_supported(date, find_dates(evidence, language="en")) is same
