"""Finds evidence against a claimed sentence in its source text, each finding as a human-readable sentence.

Quantities and dates are compared with allowance for unit conversion, rounding and coarser dates. A name counts as
mentioned in another form (`Indian`), by another name (`UK`), or spelled out (`PMI`), too. Pure functions.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final, TypeAlias

from libs.contracts.dates import PartialDate
from libs.contracts.evidence import Passage
from libs.language.files import word_table
from libs.language.patterns import any_of
from libs.language.topics.clauses import ClauseParts
from libs.language.topics.names import NameForms
from libs.text.dates.document_dates import DateMention
from libs.text.names import Name
from libs.text.numbers.finder import Number
from libs.text.numbers.units import TEMPERATURES, convert_value
from services.answer.lexicon.related_words import covered_share, is_covered
from services.answer.lexicon.words import has_phrase, is_past_form, stems_of
from services.answer.verification.claims import Claims, Spot, best_overlap, spot
from services.answer.verification.windows import SourceMaterial

_ADDRESS = re.compile(
    r"\b(?:[a-z][a-z+.-]{0,30}://|www\.|mailto:)[^\s<>\"')\]]+|[\w.+-]{1,64}@[\w-]{1,255}\.[\w.-]+", re.IGNORECASE
)
"""64 and 255 are the limits of RFC 5321; 30 letters of a scheme bound the search (taste)."""
Figure: TypeAlias = Number | DateMention
ROUNDING = Decimal("0.02")
"""Relative tolerance for a converted quantity (by hand)."""
_MIN_ACRONYM: Final = 2
"""Letters of an acronym (taste)."""
_ALIKE: Final = 0.5
"""Share of the claim's words other than names from which the source says the same of somebody (by hand)."""
_MIN_FIT: Final = 2
"""A name with this many neighbours in common is in the other one's place (taste)."""


def missing(claims: Claims, evidence: Claims, passage: Passage, material: SourceMaterial) -> Iterator[str]:
    """Yield a finding for every number, name and address in the claim that the source lacks.

    The evidence is the nearest words of the passage, the material all passages.
    """
    for quantity in claims.quantities:
        words = claims.text[quantity.start : quantity.end]
        if not is_supported(quantity, evidence.all_numbers):
            yield f"The source doesn't say “{words}”."
    for name in claims.names:
        if not (mentions(name, material.text, claims.language) or has_phrase(name.text, passage.title)):
            yield f"The source doesn't name “{name.text}”."
    for address in _ADDRESS.findall(claims.text):  # an invented one could leak data to its server
        if address.rstrip(".,;:!?").lower() not in passage.text.lower():
            yield f"The source doesn't give the address “{address}”."


def contrary(claims: Claims, evidence: Claims, title: str) -> Iterator[str]:
    """Yield what the source states differently: another number or name in the same position."""
    for quantity in claims.quantities:
        others = [other for other in evidence.quantities if other.unit == quantity.unit]
        matches = [other for other in others if is_supported(quantity, (other,))]
        if _is_exchanged(quantity, claims, matches, others, evidence):
            yield f"The source says “{claims.text[quantity.start : quantity.end]}” of something else."
    yield from other_names(claims, evidence, title)


def missing_dates(claims: Claims, evidence: Claims) -> Iterator[str]:
    """Yield a finding for every date in the claim that the source lacks."""
    for date in claims.dates:
        if not is_date_supported(date, evidence.dates):
            yield f"The source doesn't give the date “{date.text}”."


def exchanged_date(claims: Claims, evidence: Claims) -> DateMention | None:
    """Return the first date of the claim whose neighbours are those of another date in the source; else None."""
    for date in claims.dates:
        matches = [other for other in evidence.dates if is_date_supported(date, (other,))]
        if _is_exchanged(date, claims, matches, evidence.dates, evidence):
            return date
    return None


def _is_exchanged(
    figure: Figure, claims: Claims, matches: Sequence[Figure], others: Sequence[Figure], evidence: Claims
) -> bool:
    """Whether the words next to a number or date are next to a different one in the source, which has it as well."""
    same, rivals = (
        [_spot(other, evidence) for other in others if (other in matches) is is_match] for is_match in (True, False)
    )
    position = _spot(figure, claims)
    return bool(same) and best_overlap(position, rivals) > max(0, best_overlap(position, same))


def _spot(figure: Figure, claims: Claims) -> Spot:
    reach = 2 if isinstance(figure, Number) else 6  # words (taste)
    return spot(claims.occurrences, figure.start, figure.end, reach)


def has_predicates(claims: Claims, evidence: Claims) -> bool:
    """Whether the source has the verb of each `, who …`, and a reason if the claim gives one."""
    forms, language = ClauseParts.of(claims.language), claims.language
    if forms.reason.search(claims.text) and not ClauseParts.of(evidence.language).reason_given.search(evidence.text):
        return False
    verbs = [match["verb"] for match in forms.relative_verb.finditer(claims.text)]
    stems = [stem for verb in verbs if is_past_form(verb, language) for stem in stems_of(verb, language)]
    return all(is_covered(stem, evidence.stems, language) for stem in stems)


def has_agent(claims: Claims, evidence: Sequence[Claims]) -> bool:
    """Whether one source sentence has both sides of `was … by …`."""
    passive = ClauseParts.of(claims.language).passive_agent.search(claims.text)
    if passive is None:
        return True
    objects = [name.text for name in claims.names if name.end <= passive.start()][-1:]
    agents = [name.text for name in claims.names if name.start >= passive.end()][:1]
    names = objects + agents
    return any(all(name in sentence.text for name in names) for sentence in evidence) or not all(
        any(name in sentence.text for sentence in evidence) for name in names
    )


def is_supported(claim: Number, evidence: Iterable[Number]) -> bool:
    """Whether one of the source's numbers supports the claimed quantity.

    A number without a unit matches any unit, unless the source has other numbers with the claimed unit.
    """
    numbers = list(evidence)
    of_unit = [number for number in numbers if number.unit == claim.unit]
    return any(_is_same_value(claim, number) for number in of_unit or numbers)


def _is_same_value(claim: Number, evidence: Number) -> bool:
    """Whether two values are equal, or about so in one unit; plain degrees match any scale."""
    units = {claim.unit, evidence.unit}
    if None in units or len(units) == 1 or ("°" in units and units <= {"°", *TEMPERATURES}):
        return claim.value == evidence.value
    value = convert_value(evidence.value, evidence.unit, claim.unit)
    return value is not None and abs(claim.value - value) <= ROUNDING * max(abs(claim.value), abs(value))


def is_date_supported(claim: DateMention, evidence: Iterable[DateMention]) -> bool:
    """Whether a source date lies within the claimed day, month, year or period; a less precise one does not count."""
    first, last = _parts(claim.first), _parts(claim.last)
    return any(
        len(_parts(date.first)) >= len(first)
        and _parts(date.first)[: len(first)] >= first
        and _parts(date.last)[: len(last)] <= last
        for date in evidence
    )


def _parts(date: PartialDate) -> tuple[int, ...]:
    """Year, month and day, as far as they are known."""
    return tuple(part for part in (date.year, date.month, date.day) if part)


def other_names(claims: Claims, evidence: Claims, title: str) -> Iterator[str]:
    """Yield a human-readable sentence for each name of the claim that the source replaces by another one.

    It says the same of a name that is not its subject, or has a name between the same words.
    """
    rivals = [other for other in evidence.names if not mentions(other, claims.text, claims.language)]
    rival_spots = [spot(evidence.occurrences, rival.start, rival.end) for rival in rivals]
    shared = covered_share(claims.stems - claims.name_stems, evidence.stems, claims.language)
    is_alike = shared >= _ALIKE and any(not has_phrase(rival.text, title) for rival in rivals)
    for name in claims.names:
        if mentions(name, evidence.text, claims.language) or has_phrase(name.text, title):
            continue
        if is_alike or best_overlap(spot(claims.occurrences, name.start, name.end), rival_spots) >= _MIN_FIT:
            yield f"The source says this of something other than “{name.text}”."


def mentions(name: Name, text: str, language: str) -> bool:
    """Whether a text has a name, as written, in another form, or spelled out."""
    aliases = next((people for (people,) in word_table("peoples", language) if name.text.lower() in people), ())
    return (
        has_phrase(name.text, text)
        or _has_stems(name, text, language)
        or any(has_phrase(alias, text) for alias in aliases)
        or (name.text.isupper() and _spelled_out(name.text, text, language))
    )


def _has_stems(name: Name, text: str, language: str) -> bool:
    """Whether each word is in the text in some form: `Surveyors` for `Surveyor`, `Indian` for `India`."""
    if any(character.isdigit() for character in name.text):
        return False
    text_stems = _stems(text, language)
    return all(
        all(stem in text_stems or _same_root(stem, text_stems) for stem in stems_of(word, language))
        for word in name.text.split()
    )


@lru_cache(maxsize=256)  # taste
def _stems(text: str, language: str) -> frozenset[str]:
    return frozenset(stems_of(text, language))


def _same_root(stem: str, stems: frozenset[str]) -> bool:
    root = stem[:-1] if len(stem) > 5 else stem  # by hand
    return len(root) >= 4 and any(  # these numbers of letters: by hand
        other.startswith(root) or (len(other) >= 5 and stem.startswith(other)) for other in stems
    )


def _spelled_out(name: str, text: str, language: str) -> bool:
    """Whether the text spells out an acronym: `private mortgage insurance` for `PMI`."""
    letters = [re.escape(letter) for letter in name if letter.isalpha()]
    if len(letters) < max(_MIN_ACRONYM, len(name)):
        return False
    links = any_of(NameForms.of(language).acronym_links)
    pattern = r"\b" + rf"\w*[\s\-]+(?:{links}\s+)?".join(letters)
    # Two letters match almost any two words, so the words for a two-letter acronym (`US`) must be capitalised.
    return re.search(pattern, text, re.IGNORECASE if len(letters) > _MIN_ACRONYM else 0) is not None
