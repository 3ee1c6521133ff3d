"""Finds evidence against a claimed sentence in its source text, each finding as a human-readable sentence.

Lists are compared whole: `gold, thorium and potassium` isn't supported by `uranium, thorium and potassium`. Pure.
"""

import re
from collections.abc import Iterator, Sequence

from libs.contracts.evidence import Passage
from libs.language.topics.clauses import ClauseParts
from libs.text.numbers.finder import Number, find_numbers
from libs.text.numbers.units import unit_named
from services.answer.lexicon.related_words import is_covered
from services.answer.lexicon.words import stems_of
from services.answer.verification.alignment import Spot, best_overlap, fits_another_better, spot
from services.answer.verification.claims import ClaimQuantity, Claims, is_month_day_supported
from services.answer.verification.exchanged_words import opposite_word
from services.answer.verification.measures import are_ends_supported, is_supported
from services.answer.verification.name_checks import other_names, unknown_names
from services.answer.verification.negations import negation_findings, stem_with_contrary
from services.answer.verification.ordinals import missing_ordinal, other_unit
from services.answer.verification.windows import (
    EvidenceWindow,
    SourceMaterial,
    WindowSource,
    dates_before,
    dates_of_document,
)


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


_MIN_KNOWN = 2
"""Items of a list that the source must have, so that one that it lacks counts as exchanged (taste)."""


def unlisted_item(claims: Claims, evidence: Claims) -> str | None:
    """Return the only item of a claim's list that is missing in the source, which has the others; None otherwise."""
    forms, language = ClauseParts.of(claims.language), claims.language
    for match in forms.enumeration.finditer(claims.text):
        items = [item for item in forms.separator.split(match[0]) if stems_of(item, language)]
        unknown = [item for item in items if not _is_known(item, evidence, language)]
        if len(unknown) == 1 and len(items) - 1 >= _MIN_KNOWN and _is_list(items, unknown[0], evidence):
            return unknown[0]
    return None


def _is_known(item: str, evidence: Claims, language: str) -> bool:
    return any(is_covered(stem, evidence.stems, language) for stem in stems_of(item, language))


def _is_list(items: list[str], unknown: str, evidence: Claims) -> bool:
    """Whether the source also has the other items in a list that is at least as long."""
    language, forms = evidence.language, ClauseParts.of(evidence.language)
    others = {stems_of(item, language)[-1] for item in items if item != unknown}
    return any(
        others <= set(stems_of(match[0], language)) and len(_items(match[0], forms)) >= len(items)
        for match in forms.enumeration.finditer(evidence.text)
    )


def _items(text: str, forms: ClauseParts) -> list[str]:
    return [item for item in forms.separator.split(text) if item]


_MIN_YEAR = 1000
"""From here on a number may be a year, which any year of the source supports (taste)."""
_CODE = re.compile(r"(?<![\w-])[A-Za-z]{2,}-\d{2,}(?![\w-])")
"""`uranium-238`, `AES-256`: two letters and two digits at least (taste)."""
_ADDRESS = re.compile(
    r"\b(?:[a-z][a-z+.-]{0,30}://|www\.|mailto:)[^\s<>\"')\]]+|[\w.+-]{1,64}@[\w-]{1,255}\.[\w.-]+", re.IGNORECASE
)
"""64 and 255 are the limits of RFC 5321; 30 letters of a scheme bound the search (taste)."""


def missing(claims: Claims, evidence: Claims, passage: Passage, material: SourceMaterial) -> Iterator[str]:
    """Yield a finding for every number, name and address in the claim that the source lacks.

    Args:
        claims: the sentence.
        evidence: the nearest words of the passage.
        passage: the whole passage; its title names its subject.
        material: all passages.
    """
    title_numbers = find_numbers(passage.title, evidence.language)
    years = tuple(number for number in evidence.all_numbers if number.value >= _MIN_YEAR)
    for quantity in claims.quantities:
        candidates = (*same_measure(quantity, evidence), *title_numbers)
        source_numbers = (*candidates, *years) if quantity.number.value >= _MIN_YEAR else candidates
        if not is_supported(quantity, source_numbers):
            yield f"The source doesn't say “{quantity.text}”."
    if word := missing_ordinal(claims.text, evidence.text, claims.language):
        yield f"The source doesn't say “{word}”."
    yield from unknown_names(claims, evidence, passage, material)
    for code in _CODE.findall(claims.text):
        if code.lower() not in material.lower_text:
            yield f"The source doesn't say “{code}”."
    yield from _addresses(claims, passage)


def contrary(claims: Claims, evidence: Claims, title: str) -> Iterator[str]:
    """Yield what the source states differently: another number or name in the same position, an item not listed."""
    for quantity in claims.quantities:
        if _counts_something_else(quantity, claims, evidence) or counts_another_thing(quantity, evidence):
            yield f"The source says “{quantity.text}” of something else."
    yield from other_names(claims, evidence, title)
    if item := unlisted_item(claims, evidence):
        yield f"The source doesn't list “{item}”."


def denials(claims: Claims, evidence: Claims) -> Iterator[str]:
    """Yield a finding for another unit of time, a denial or an opposite in the source."""
    if word := other_unit(claims.text, evidence.text, claims.language):
        yield f"The source doesn't say “{word}”."
    yield from negation_findings(claims, evidence)
    if bool(claims.denials) is bool(evidence.denials) and (word := opposite_word(claims, evidence)):
        yield f"The source says the opposite of “{word}”."
    elif word := stem_with_contrary(claims, evidence):
        yield f"The source says the contrary of “{word}”."


def _counts_something_else(quantity: ClaimQuantity, claims: Claims, evidence: Claims) -> bool:
    """Whether the words next to a number are next to a different number in the source."""
    position = _place(quantity, claims)
    matches: list[Spot] = []
    others: list[Spot] = []
    for other in evidence.quantities:
        if other.number.unit == quantity.number.unit:
            (matches if is_supported(quantity, (other.number,)) else others).append(_place(other, evidence))
    return bool(matches) and best_overlap(position, matches) == 0 and fits_another_better(position, matches, others)


def _place(quantity: ClaimQuantity, claims: Claims) -> Spot:
    return spot(claims.occurrences, quantity.number.start, quantity.number.end, reach=2)  # words (taste)


def missing_dates(claims: Claims, window: EvidenceWindow, sources: Sequence[WindowSource]) -> Iterator[str]:
    """Yield a finding for every date in the claim that neither the window nor the text before it gives.

    Texts often give a date once and then omit it, or its year.
    """
    evidence = window.claims
    for date in claims.dates:
        if are_ends_supported(date, evidence.dates, evidence.language):
            continue
        if evidence.dates or not are_ends_supported(
            date,
            dates_before(window) if date.first.day else dates_of_document(window, sources),
            evidence.language,
        ):
            yield f"The source doesn't give the date “{date.text}”."
    for day in claims.month_days:
        if is_month_day_supported(day, evidence.dates, evidence.month_days):
            continue
        if evidence.month_days or not is_month_day_supported(day, dates_of_document(window, sources), ()):
            yield f"The source doesn't give the date “{day.text}”."


def _addresses(claims: Claims, passage: Passage) -> Iterator[str]:
    """Yield a finding for every address that the passage lacks: an invented one could leak data to its server."""
    for address in _ADDRESS.findall(claims.text):
        if address.rstrip(".,;:!?").lower() not in passage.text.lower():
            yield f"The source doesn't give the address “{address}”."
