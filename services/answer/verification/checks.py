"""Finds evidence against a claimed sentence in its source text, each finding as a human-readable sentence."""

import re
from collections.abc import Iterator, Sequence

from libs.contracts.evidence import Passage
from libs.text.numbers import find_numbers
from services.answer.lexicon.related_words import is_told, share_told
from services.answer.verification.alignment import Spot, fit, held_by_another, spot
from services.answer.verification.claims import Claims, Quantity
from services.answer.verification.counts import (
    counts_another_thing,
    counts_elsewhere,
    counts_what_follows,
    same_measure,
)
from services.answer.verification.denials import (
    Denial,
    denies_the_same,
    implied_denials,
    known_in,
    left_out,
    same_in_other_words,
)
from services.answer.verification.directions import opposite_said
from services.answer.verification.lists import unlisted_item
from services.answer.verification.measures import borne_out, ends_borne_out
from services.answer.verification.month_days import month_day_borne_out
from services.answer.verification.name_checks import other_names, unknown_names
from services.answer.verification.ordinals import other_unit, untold_ordinal
from services.answer.verification.polarity import contrary_said, says_the_contrary
from services.answer.verification.windows import EvidenceWindow, Material, Source, dates_before, dates_of_document

NOT_DENIED = "The source doesn't deny this."
DENIED = "The source denies this."
_LEAST_YEAR = 1000
_ALIKE = 0.55
"""Share of the claim's words above which two sentences are about the same thing, even without the denied verb."""
_RATHER_ALIKE = 0.35
"""The share that suffices if the sentence contains the denied verb."""
_HARDLY_ALIKE = 0.3
_COPIED = 0.85
_MOSTLY_COPIED = 0.7
"""If the source has `_COPIED` of the claim's words and the claim has `_MOSTLY_COPIED` of the source's, the sentence was
taken over almost unchanged."""
_CODE = re.compile(r"(?<![\w-])[A-Za-z]{2,}-\d{2,}(?![\w-])")
"""`uranium-238`, `AES-256`."""
_ADDRESS = re.compile(r"\b(?:[a-z][a-z+.-]*://|www\.|mailto:)[^\s<>\"')\]]+|[\w.+-]+@[\w-]+\.[\w.-]+", re.IGNORECASE)


def missing(claimed: Claims, told: Claims, passage: Passage, material: Material) -> Iterator[str]:
    """Yield a finding for every number, name and address in the claim that the source lacks.

    Args:
        claimed: the sentence.
        told: the nearest words of the passage.
        passage: the whole passage; its title names its subject.
        material: all passages.
    """
    titled = find_numbers(passage.title)
    years = tuple(number for number in told.all_numbers if number.value >= _LEAST_YEAR)
    for quantity in claimed.quantities:
        known = (*same_measure(quantity, told.quantities), *titled)
        told_of = (*known, *years) if quantity.number.value >= _LEAST_YEAR else known
        if not borne_out(quantity, told_of) and not counts_what_follows(quantity, told):
            yield f"The source doesn't say “{quantity.text}”."
    if word := untold_ordinal(claimed.text, told.text):
        yield f"The source doesn't say “{word}”."
    yield from unknown_names(claimed, told, passage, material)
    for code in _CODE.findall(claimed.text):
        if code.lower() not in material.text.lower():
            yield f"The source doesn't say “{code}”."
    yield from _addresses(claimed, passage)


def contrary(claimed: Claims, told: Claims, title: str) -> Iterator[str]:
    """Yield what the source states differently: another number or name in the same position, an item not listed."""
    for quantity in claimed.quantities:
        if _counts_something_else(quantity, claimed, told) or counts_another_thing(quantity, claimed, told):
            yield f"The source says “{quantity.text}” of something else."
        elif _beyond(quantity, told):
            yield f"The source has “{quantity.text}” for a bound on the other side."
    yield from other_names(claimed, told, title)
    if item := unlisted_item(claimed, told):
        yield f"The source doesn't list “{item}”."


def denials(claimed: Claims, told: Claims) -> Iterator[str]:
    """Yield a finding for another unit of time, a denial or an opposite in the source."""
    if word := other_unit(claimed.text, told.text):
        yield f"The source doesn't say “{word}”."
    yield from _negation(claimed, told)
    if bool(claimed.denied) is bool(told.denied) and (
        word := opposite_said(claimed.text, claimed.placed, told.text, told.placed)
    ):
        yield f"The source says the opposite of “{word}”."
    elif word := _contrary(claimed, told):
        yield f"The source says the contrary of “{word}”."


def _counts_something_else(quantity: Quantity, claimed: Claims, told: Claims) -> bool:
    """Whether the words next to a number are next to a different number in the source."""
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
    """Whether the claim says `more than` a number and the source says `less than`, or vice versa."""
    alike = [other for other in told.quantities if borne_out(quantity, (other.number,))]
    return bool(quantity.direction and alike) and all(other.direction == -quantity.direction for other in alike)


def other_things(claimed: Claims, main: Claims, told: Claims, title: str) -> Iterator[str]:
    """Yield the names and numbers of a claim that its main sentence lacks, because it has others in their place.

    Args:
        claimed: the sentence.
        main: the source sentence that has most of its words.
        told: all source sentences, including `main`.
        title: of the passage.
    """
    yield from other_names(claimed, main, title)
    for quantity in claimed.quantities:
        if not borne_out(quantity, [other.number for other in main.quantities]) and counts_elsewhere(
            quantity, claimed, told
        ):
            yield f"The source says “{quantity.text}” of something else."


def untold_dates(claimed: Claims, window: EvidenceWindow, sources: Sequence[Source]) -> Iterator[str]:
    """Yield a finding for every date in the claim that neither the window nor the text before it gives.

    Texts often give a date once and then omit it, or its year.
    """
    told = window.claims
    for date in claimed.dates:
        if ends_borne_out(date, told.dates):
            continue
        if told.dates or not ends_borne_out(
            date, dates_before(window) if date.first.day else dates_of_document(window, sources)
        ):
            yield f"The source doesn't give the date “{date.text}”."
    for day in claimed.month_days:
        if month_day_borne_out(day, told.dates, told.month_days):
            continue
        if told.month_days or not month_day_borne_out(day, dates_of_document(window, sources), ()):
            yield f"The source doesn't give the date “{day.text}”."


def _addresses(claimed: Claims, passage: Passage) -> Iterator[str]:
    """Yield a finding for every address that the passage lacks: an invented one could leak data to its server."""
    for address in _ADDRESS.findall(claimed.text):
        if address.rstrip(".,;:!?").lower() not in passage.text.lower():
            yield f"The source doesn't give the address “{address}”."


def _contrary(claimed: Claims, told: Claims) -> str | None:
    if share_told(claimed.stems, told.stems) < _RATHER_ALIKE:
        return None
    return contrary_said(claimed.placed, claimed.denied, told.placed, told.denied)


def _negation(claimed: Claims, told: Claims) -> Iterator[str]:
    if not (claimed.denied or told.denied):
        return
    yield from _inserted(claimed, told)
    copied = (
        share_told(claimed.stems, told.stems) >= _COPIED and share_told(told.stems, claimed.stems) >= _MOSTLY_COPIED
    )
    if copied and (more := _more_denials(claimed, told)):
        yield NOT_DENIED if more > 0 else DENIED
    elif any(_denied_alone(denial, claimed, told) for denial in claimed.denied):
        yield NOT_DENIED
    elif any(
        known_in(denial, claimed.stems) and is_told(denial.head, claimed.stems) and _denied_alone(denial, told, claimed)
        for denial in told.denied
    ):
        yield DENIED


def _inserted(claimed: Claims, told: Claims) -> Iterator[str]:
    """Yield a reason if only one of the two sentences has a negator among the same words."""
    for one, other, reason in ((claimed, told, NOT_DENIED), (told, claimed, DENIED)):
        if any(
            left_out(denial, other.placed, other.denied, share_told(one.stems, other.stems) >= _MOSTLY_COPIED)
            and denial.scope.isdisjoint(implied_denials(other.text, one.stems))
            for denial in one.denied
        ):
            yield reason


def _more_denials(claimed: Claims, told: Claims) -> int:
    """How many more negations a sentence has than the source it was copied from almost unchanged.

    Negations of anything that the sentence lacks are ignored. The result is 0 if a word such as `refused` may replace
    the negation.
    """
    of_it = [denial for denial in told.denied if known_in(denial, claimed.stems)]
    more = len(claimed.denied) - len(of_it)
    one, other = (claimed, told) if more > 0 else (told, claimed)
    if same_in_other_words(claimed.text, told.text):
        return 0
    alone = [denial for denial in one.denied if denial.scope.isdisjoint(implied_denials(other.text, one.stems))]
    return more if alone else 0


def _denied_alone(denial: Denial, one: Claims, other: Claims) -> bool:
    """Whether the other sentence states what the first one denies, without denying it in any way."""
    if denial.supposed or _denies_too(denial, one, other):
        return False
    alike = share_told(one.stems, other.stems)
    return alike >= _ALIKE or known_in(denial, other.stems) or (alike >= _RATHER_ALIKE and denial.core <= other.stems)


def _denies_too(denial: Denial, one: Claims, other: Claims) -> bool:
    """Whether the other sentence denies the same, explicitly or with words such as `refused`."""
    return (
        any(denies_the_same(denial, also) for also in other.denied)
        or not denial.scope.isdisjoint(implied_denials(other.text, one.stems))
        or says_the_contrary(denial, other.stems)
        or same_in_other_words(one.text, other.text)
    )


def denial_borne_out(claimed: Claims, told: Claims) -> bool:
    """Whether the source denies everything that the claim denies; True if it denies nothing."""
    return all(denial.supposed or _denies_too(denial, claimed, told) for denial in claimed.denied)


def denied_in_one(claimed: Claims, told: Claims) -> str | None:
    """Return why a barely supported sentence is contradicted: only one of the two has a flat denial; else None."""
    if share_told(claimed.stems, told.stems) < _HARDLY_ALIKE:
        return None
    flat, told_flat = ([denial for denial in one.denied if not denial.supposed] for one in (claimed, told))
    if flat and not told_flat and not denial_borne_out(claimed, told):
        return NOT_DENIED
    known = (denial for denial in told_flat if known_in(denial, claimed.stems))
    return DENIED if not claimed.denied and any(not _denies_too(denial, told, claimed) for denial in known) else None
