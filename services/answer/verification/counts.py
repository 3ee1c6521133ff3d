"""Determines what a number without a unit counts."""

import re
from collections.abc import Sequence
from functools import lru_cache

from libs.text.numbers import Number
from libs.text.tokens import stem
from libs.text.units import unit_named
from services.answer.verification.alignment import fit, spot
from services.answer.verification.claims import Claims, Quantity
from services.answer.verification.measures import borne_out

_BESIDE = 2
_OF = re.compile(r" of\b")
_MOST_LISTED = 10
_LISTED = """
way method type kind option step reason factor part category thing example approach form element aspect group
difference benefit feature point stage phase component principle role
"""
"""Nouns that an answer counts when it lists them, although the source has only the list."""


def counts_another_thing(quantity: Quantity, claimed: Claims, told: Claims) -> bool:
    """Whether the source has another number of the same thing, and this number only of something else."""
    if quantity.thing is None:
        return False
    alike = [other for other in told.quantities if other.number.unit is None]
    same = [other for other in alike if borne_out(quantity, (other.number,))]
    return (
        bool(same)
        and all(
            other.thing != quantity.thing and other.thing not in _about(quantity, claimed) and not _of_them(other, told)
            for other in same
        )
        and any(other.thing == quantity.thing for other in alike if other not in same)
    )


def _about(quantity: Quantity, claimed: Claims) -> frozenset[str]:
    """The stems between a number and the next one: `eight rings lie in the south, five in the north`."""
    end = quantity.number.end
    following = min((other.number.start for other in claimed.quantities if other.number.start > end), default=None)
    last = len(claimed.text) if following is None else following
    return frozenset(place.stem for place in claimed.placed if end <= place.start < last)


def _of_them(quantity: Quantity, told: Claims) -> bool:
    """Whether a number counts something mentioned before, as in `five of them`."""
    return quantity.thing is None and _OF.match(told.text, quantity.number.end) is not None


def same_measure(quantity: Quantity, told: Sequence[Quantity]) -> list[Number]:
    """The source's numbers that may measure the same: `seven years` doesn't support `seven landers`, or vice versa."""
    return [other.number for other in told if _measures(quantity, other) and _measures(other, quantity)]


def _measures(one: Quantity, other: Quantity) -> bool:
    """Whether the first number may mean the second, which counts nothing else: `ten - year` is ten years."""
    return one.number.unit is None or other.thing is None or unit_named(other.thing) == one.number.unit


def counts_elsewhere(quantity: Quantity, claimed: Claims, told: Claims) -> bool:
    """Whether a number without a unit is in the source, but never next to one of the words it is next to here."""
    if quantity.number.unit:
        return False
    place = spot(claimed.placed, quantity.number.start, quantity.number.end, _BESIDE)
    same = [other.number for other in told.quantities if borne_out(quantity, (other.number,))]
    spots = [spot(told.placed, number.start, number.end, _BESIDE) for number in same]
    return bool(place.neighbours) and fit(place, spots) == 0


def counts_what_follows(quantity: Quantity, told: Claims) -> bool:
    """Whether a small number counts `ways` or `steps`, for example, and the source gives no other number of them."""
    return (
        quantity.thing in _listed()
        and quantity.number.value <= _MOST_LISTED
        and all(other.thing != quantity.thing for other in told.quantities)
    )


@lru_cache(maxsize=1)
def _listed() -> frozenset[str]:
    return frozenset(stem(word) for word in _LISTED.split())
