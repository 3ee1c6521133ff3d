"""Finds evidence against a claimed sentence in its source text, each finding as a human-readable sentence."""

import re
from collections.abc import Iterator, Sequence

from libs.contracts.evidence import Passage
from libs.text.numbers import find_numbers
from services.answer.lexicon.related_words import covered_share, is_covered
from services.answer.verification.alignment import Spot, best_overlap, fits_another_better, spot
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
    has_denied_words,
    implied_denials,
    lacks_negator,
    same_in_other_words,
)
from services.answer.verification.directions import opposite_word
from services.answer.verification.lists import unlisted_item
from services.answer.verification.measures import are_ends_supported, is_supported
from services.answer.verification.month_days import is_month_day_supported
from services.answer.verification.name_checks import other_names, unknown_names
from services.answer.verification.ordinals import missing_ordinal, other_unit
from services.answer.verification.polarity import contrary_stem, says_the_contrary
from services.answer.verification.windows import EvidenceWindow, Source, SourceMaterial, dates_before, dates_of_document

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


def missing(claims: Claims, evidence: Claims, passage: Passage, material: SourceMaterial) -> Iterator[str]:
    """Yield a finding for every number, name and address in the claim that the source lacks.

    Args:
        claims: the sentence.
        evidence: the nearest words of the passage.
        passage: the whole passage; its title names its subject.
        material: all passages.
    """
    title_numbers = find_numbers(passage.title, evidence.language)
    years = tuple(number for number in evidence.all_numbers if number.value >= _LEAST_YEAR)
    for quantity in claims.quantities:
        candidates = (*same_measure(quantity, evidence), *title_numbers)
        source_numbers = (*candidates, *years) if quantity.number.value >= _LEAST_YEAR else candidates
        if not is_supported(quantity, source_numbers) and not counts_what_follows(quantity, evidence):
            yield f"The source doesn't say “{quantity.text}”."
    if word := missing_ordinal(claims.text, evidence.text, claims.language):
        yield f"The source doesn't say “{word}”."
    yield from unknown_names(claims, evidence, passage, material)
    for code in _CODE.findall(claims.text):
        if code.lower() not in material.text.lower():
            yield f"The source doesn't say “{code}”."
    yield from _addresses(claims, passage)


def contrary(claims: Claims, evidence: Claims, title: str) -> Iterator[str]:
    """Yield what the source states differently: another number or name in the same position, an item not listed."""
    for quantity in claims.quantities:
        if _counts_something_else(quantity, claims, evidence) or counts_another_thing(quantity, claims, evidence):
            yield f"The source says “{quantity.text}” of something else."
        elif _beyond(quantity, evidence):
            yield f"The source has “{quantity.text}” for a bound on the other side."
    yield from other_names(claims, evidence, title)
    if item := unlisted_item(claims, evidence):
        yield f"The source doesn't list “{item}”."


def denials(claims: Claims, evidence: Claims) -> Iterator[str]:
    """Yield a finding for another unit of time, a denial or an opposite in the source."""
    if word := other_unit(claims.text, evidence.text, claims.language):
        yield f"The source doesn't say “{word}”."
    yield from _negation_findings(claims, evidence)
    if bool(claims.denials) is bool(evidence.denials) and (word := opposite_word(claims, evidence)):
        yield f"The source says the opposite of “{word}”."
    elif word := _contrary_stem(claims, evidence):
        yield f"The source says the contrary of “{word}”."


def _counts_something_else(quantity: Quantity, claims: Claims, evidence: Claims) -> bool:
    """Whether the words next to a number are next to a different number in the source."""
    position = _place(quantity, claims)
    matches: list[Spot] = []
    others: list[Spot] = []
    for other in evidence.quantities:
        if other.number.unit == quantity.number.unit:
            (matches if is_supported(quantity, (other.number,)) else others).append(_place(other, evidence))
    return bool(matches) and best_overlap(position, matches) == 0 and fits_another_better(position, matches, others)


def _place(quantity: Quantity, claims: Claims) -> Spot:
    return spot(claims.occurrences, quantity.number.start, quantity.number.end, reach=2)


def _beyond(quantity: Quantity, evidence: Claims) -> bool:
    """Whether the claim says `more than` a number and the source says `less than`, or vice versa."""
    matches = [other for other in evidence.quantities if is_supported(quantity, (other.number,))]
    return bool(quantity.direction and matches) and all(other.direction == -quantity.direction for other in matches)


def other_things(claims: Claims, main: Claims, evidence: Claims, title: str) -> Iterator[str]:
    """Yield the names and numbers of a claim that its main sentence lacks, because it has others in their place.

    Args:
        claims: the sentence.
        main: the source sentence that has most of its words.
        evidence: all source sentences, including `main`.
        title: of the passage.
    """
    yield from other_names(claims, main, title)
    for quantity in claims.quantities:
        if not is_supported(quantity, [other.number for other in main.quantities]) and counts_elsewhere(
            quantity, claims, evidence
        ):
            yield f"The source says “{quantity.text}” of something else."


def missing_dates(claims: Claims, window: EvidenceWindow, sources: Sequence[Source]) -> Iterator[str]:
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


def _contrary_stem(claims: Claims, evidence: Claims) -> str | None:
    if _share(claims, evidence) < _RATHER_ALIKE:
        return None
    return contrary_stem(claims.occurrences, claims.denials, evidence.occurrences, evidence.denials, claims.language)


def _negation_findings(claims: Claims, evidence: Claims) -> Iterator[str]:
    if not (claims.denials or evidence.denials):
        return
    yield from _inserted_negators(claims, evidence)
    is_copied = _share(claims, evidence) >= _COPIED and _share(evidence, claims) >= _MOSTLY_COPIED
    if is_copied and (more := _more_denials(claims, evidence)):
        yield NOT_DENIED if more > 0 else DENIED
    elif any(_is_denied_alone(denial, claims, evidence) for denial in claims.denials):
        yield NOT_DENIED
    elif any(
        has_denied_words(denial, claims.stems, claims.language)
        and is_covered(denial.head, claims.stems, claims.language)
        and _is_denied_alone(denial, evidence, claims)
        for denial in evidence.denials
    ):
        yield DENIED


def _inserted_negators(claims: Claims, evidence: Claims) -> Iterator[str]:
    """Yield a reason if only one of the two sentences has a negator among the same words."""
    for sentence, other, reason in ((claims, evidence, NOT_DENIED), (evidence, claims, DENIED)):
        if any(
            lacks_negator(denial, other.occurrences, other.denials, _share(sentence, other) >= _MOSTLY_COPIED)
            and denial.scope.isdisjoint(implied_denials(other.text, sentence.stems, other.language))
            for denial in sentence.denials
        ):
            yield reason


def _more_denials(claims: Claims, evidence: Claims) -> int:
    """How many more negations a sentence has than the source it was copied from almost unchanged.

    Negations of anything that the sentence lacks are ignored. The result is 0 if a word such as `refused` may replace
    the negation.
    """
    source_denials = [denial for denial in evidence.denials if has_denied_words(denial, claims.stems, claims.language)]
    more = len(claims.denials) - len(source_denials)
    sentence, other = (claims, evidence) if more > 0 else (evidence, claims)
    if same_in_other_words(claims.text, evidence.text, claims.language):
        return 0
    unmatched = [
        denial
        for denial in sentence.denials
        if denial.scope.isdisjoint(implied_denials(other.text, sentence.stems, other.language))
    ]
    return more if unmatched else 0


def _is_denied_alone(denial: Denial, sentence: Claims, other: Claims) -> bool:
    """Whether the other sentence states what the first one denies, without denying it in any way."""
    if denial.supposed or _denies_too(denial, sentence, other):
        return False
    similarity = _share(sentence, other)
    return (
        similarity >= _ALIKE
        or has_denied_words(denial, other.stems, other.language)
        or (similarity >= _RATHER_ALIKE and denial.core <= other.stems)
    )


def _denies_too(denial: Denial, sentence: Claims, other: Claims) -> bool:
    """Whether the other sentence denies the same, explicitly or with words such as `refused`."""
    return (
        any(denies_the_same(denial, counterpart) for counterpart in other.denials)
        or not denial.scope.isdisjoint(implied_denials(other.text, sentence.stems, other.language))
        or says_the_contrary(denial, other.stems, other.language)
        or same_in_other_words(sentence.text, other.text, sentence.language)
    )


def are_denials_supported(claims: Claims, evidence: Claims) -> bool:
    """Whether the source denies everything that the claim denies; True if it denies nothing."""
    return all(denial.supposed or _denies_too(denial, claims, evidence) for denial in claims.denials)


def one_sided_denial(claims: Claims, evidence: Claims) -> str | None:
    """Return why a barely supported sentence is contradicted: only one of the two has a flat denial; else None."""
    if _share(claims, evidence) < _HARDLY_ALIKE:
        return None
    claim_denials, evidence_denials = (
        [denial for denial in sentence.denials if not denial.supposed] for sentence in (claims, evidence)
    )
    if claim_denials and not evidence_denials and not are_denials_supported(claims, evidence):
        return NOT_DENIED
    candidates = (denial for denial in evidence_denials if has_denied_words(denial, claims.stems, claims.language))
    return (
        DENIED
        if not claims.denials and any(not _denies_too(denial, evidence, claims) for denial in candidates)
        else None
    )


def _share(claims: Claims, evidence: Claims) -> float:
    """The share of a sentence's stems that another one covers."""
    return covered_share(claims.stems, evidence.stems, claims.language)
