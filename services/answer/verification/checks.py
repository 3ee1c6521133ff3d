"""What speaks against a claimed sentence in the words that are said to bear it out, each as a sentence for people."""

import re
from collections.abc import Iterator

from services.answer.lexicon.related_words import has_related
from services.answer.verification.alignment import Spot, fit, held_by_another, spot
from services.answer.verification.claims import Claims, Quantity
from services.answer.verification.denials import Denial, implied_denials, known_in
from services.answer.verification.directions import opposite_said
from services.answer.verification.measures import borne_out, date_borne_out
from services.answer.verification.name_checks import other_names, unknown_names
from services.answer.verification.ordinals import other_unit, untold_ordinal
from services.text.dates import find_dates
from services.text.numbers import find_numbers
from services.vocabulary.evidence import Passage

_ADDRESS = re.compile(r"\b(?:[a-z][a-z+.-]*://|www\.|mailto:)[^\s<>\"')\]]+|[\w.+-]+@[\w-]+\.[\w.-]+", re.IGNORECASE)


def missing(claimed: Claims, told: Claims, passage: Passage, everything: str) -> Iterator[str]:
    """Every number, name and address of the claim that the words told don't have.

    Args:
        claimed: the sentence.
        told: the words of the passage that are nearest to it.
        passage: the whole passage; its title names what the words are about.
        everything: the text of all passages.
    """
    known = (*(quantity.number for quantity in told.quantities), *find_numbers(passage.title))
    years = tuple(number for number in told.all_numbers if number.value >= _LEAST_YEAR)
    for quantity in claimed.quantities:
        if not borne_out(quantity, (*known, *years) if quantity.number.value >= _LEAST_YEAR else known):
            yield f"The source doesn't say “{quantity.text}”."
    if word := untold_ordinal(claimed.text, told.text):
        yield f"The source doesn't say “{word}”."
    yield from unknown_names(claimed, told, passage, everything)
    yield from _addresses(claimed, passage)


def contrary(claimed: Claims, told: Claims, title: str) -> Iterator[str]:
    """What the words told say otherwise: another number or name in the same place, and `denials`."""
    for quantity in claimed.quantities:
        if _counts_something_else(quantity, claimed, told):
            yield f"The source says “{quantity.text}” of something else."
        elif _beyond(quantity, told):
            yield f"The source has “{quantity.text}” for a bound on the other side."
    yield from other_names(claimed, told, title)
    yield from denials(claimed, told)


def denials(claimed: Claims, told: Claims) -> Iterator[str]:
    """Another unit of time, a denial or an opposite in the words told."""
    if word := other_unit(claimed.text, told.text):
        yield f"The source doesn't say “{word}”."
    yield from _negation(claimed, told)
    if bool(claimed.denied) is bool(told.denied) and (
        word := opposite_said(claimed.text, claimed.placed, told.text, told.placed)
    ):
        yield f"The source says the opposite of “{word}”."


_LEAST_YEAR = 1000
_ALIKE = 0.55
"""A sentence with so many of the claim's words tells of the same; it needn't have the very verb that is denied."""


def _counts_something_else(quantity: Quantity, claimed: Claims, told: Claims) -> bool:
    """Whether the words beside a number are those beside another one in the source."""
    place = _place(quantity, claimed)
    same: list[Spot] = []
    others: list[Spot] = []
    for other in told.quantities:
        if other.number.unit == quantity.number.unit:
            (same if borne_out(quantity, (other.number,)) else others).append(_place(other, told))
    return bool(same) and fit(place, same) == 0 and held_by_another(place, same, others)


def _place(quantity: Quantity, claims: Claims) -> Spot:
    return spot(claims.placed, quantity.number.start, quantity.number.end, reach=2)


def _beyond(quantity: Quantity, told: Claims) -> bool:
    """`More than` a number of which the source says `less than`."""
    alike = [other for other in told.quantities if borne_out(quantity, (other.number,))]
    return bool(quantity.direction and alike) and all(other.direction == -quantity.direction for other in alike)


def untold_dates(claimed: Claims, told: Claims, passage: Passage) -> Iterator[str]:
    """Every date of the claim that the words told don't give."""
    for date in claimed.dates:
        if date_borne_out(date, told.dates):
            continue
        # Texts tell the year once and leave it out after that.
        coarse = not date.first.day and not told.dates
        if not (coarse and date_borne_out(date, find_dates(passage.text))):
            yield f"The source doesn't give the date “{date.text}”."


def _addresses(claimed: Claims, passage: Passage) -> Iterator[str]:
    """An address that nobody gave may carry what was said to wherever it leads."""
    for address in _ADDRESS.findall(claimed.text):
        if address.rstrip(".,;:!?").lower() not in passage.text.lower():
            yield f"The source doesn't give the address “{address}”."


def _negation(claimed: Claims, told: Claims) -> Iterator[str]:
    if any(_is_told(denial, claimed, told) for denial in claimed.denied):
        yield "The source doesn't deny this."
    elif any(
        known_in(denial, claimed.stems) and _known(denial.core, claimed.stems) == 1 and _is_told(denial, told, claimed)
        for denial in told.denied
    ):
        yield "The source denies this."


def _is_told(denial: Denial, one: Claims, other: Claims) -> bool:
    """Whether the other sentence tells what one denies, and by no word denies it."""
    denied = _denied(other, one)
    alike = not denied and _known(one.stems, other.stems) >= _ALIKE
    return not denial.scope & denied and (alike or known_in(denial, other.stems))


def _known(stems: frozenset[str], told: frozenset[str]) -> float:
    return sum(stem in told or has_related(stem, told) for stem in stems) / len(stems) if stems else 0.0


def _denied(claims: Claims, other: Claims) -> frozenset[str]:
    """The stems that a sentence denies in so many words or by words such as `refused`."""
    return implied_denials(claims.text, other.stems).union(*(denial.scope for denial in claims.denied))
