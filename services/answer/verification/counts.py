"""Determines what a number without a unit counts."""

from libs.text.numbers import Number
from libs.text.units import unit_named
from services.answer.verification.claims import ClaimQuantity, Claims
from services.answer.verification.measures import is_supported


def counts_another_thing(quantity: ClaimQuantity, evidence: Claims) -> bool:
    """Whether the source has another number of the same thing, and this number only of something else."""
    if quantity.thing is None:
        return False
    unitless = [other for other in evidence.quantities if other.number.unit is None]
    matches = [other for other in unitless if is_supported(quantity, (other.number,))]
    return (
        bool(matches)
        and all(other.thing != quantity.thing for other in matches)
        and any(other.thing == quantity.thing for other in unitless if other not in matches)
    )


def same_measure(quantity: ClaimQuantity, evidence: Claims) -> list[Number]:
    """The source's numbers that may measure the same: `seven years` doesn't support `seven landers`, or vice versa."""
    language = evidence.language
    return [
        other.number
        for other in evidence.quantities
        if _measures(quantity, other, language) and _measures(other, quantity, language)
    ]


def _measures(quantity: ClaimQuantity, other: ClaimQuantity, language: str) -> bool:
    """Whether the first number may mean the second, which counts nothing else: `ten - year` is ten years."""
    return (
        quantity.number.unit is None or other.thing is None or unit_named(other.thing, language) == quantity.number.unit
    )
