"""Determines what a number without a unit counts."""

from functools import lru_cache

from libs.language.topics.quantity_context import QuantityContext
from libs.text.numbers import Number
from libs.text.tokens import stem
from libs.text.units import unit_named
from services.answer.verification.alignment import best_overlap, spot
from services.answer.verification.claims import ClaimQuantity, Claims
from services.answer.verification.measures import is_supported

_BESIDE = 2
_MOST_LISTED = 10


def counts_another_thing(quantity: ClaimQuantity, claims: Claims, evidence: Claims) -> bool:
    """Whether the source has another number of the same thing, and this number only of something else."""
    if quantity.thing is None:
        return False
    unitless = [other for other in evidence.quantities if other.number.unit is None]
    matches = [other for other in unitless if is_supported(quantity, (other.number,))]
    return (
        bool(matches)
        and all(
            other.thing != quantity.thing
            and other.thing not in _stems_up_to_next(quantity, claims)
            and not _refers_back(other, evidence)
            for other in matches
        )
        and any(other.thing == quantity.thing for other in unitless if other not in matches)
    )


def _stems_up_to_next(quantity: ClaimQuantity, claims: Claims) -> frozenset[str]:
    """The stems between a number and the next one: `eight rings lie in the south, five in the north`."""
    end = quantity.number.end
    following = min((other.number.start for other in claims.quantities if other.number.start > end), default=None)
    last = len(claims.text) if following is None else following
    return frozenset(occurrence.stem for occurrence in claims.occurrences if end <= occurrence.start < last)


def _refers_back(quantity: ClaimQuantity, evidence: Claims) -> bool:
    """Whether a number counts something mentioned before, as in `five of them`."""
    return quantity.thing is None and (
        QuantityContext.of(evidence.language).refers_back.match(evidence.text, quantity.number.end) is not None
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


def counts_elsewhere(quantity: ClaimQuantity, claims: Claims, evidence: Claims) -> bool:
    """Whether a number without a unit is in the source, but never next to one of the words it is next to here."""
    if quantity.number.unit:
        return False
    position = spot(claims.occurrences, quantity.number.start, quantity.number.end, _BESIDE)
    matches = [other.number for other in evidence.quantities if is_supported(quantity, (other.number,))]
    spots = [spot(evidence.occurrences, number.start, number.end, _BESIDE) for number in matches]
    return bool(position.neighbours) and best_overlap(position, spots) == 0


def counts_what_follows(quantity: ClaimQuantity, evidence: Claims) -> bool:
    """Whether a small number counts `ways` or `steps`, for example, and the source gives no other number of them."""
    return (
        quantity.thing in _listed(evidence.language)
        and quantity.number.value <= _MOST_LISTED
        and all(other.thing != quantity.thing for other in evidence.quantities)
    )


@lru_cache(maxsize=64)
def _listed(language: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in QuantityContext.of(language).listed)
