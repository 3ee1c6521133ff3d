"""Finds evidence against a claimed sentence in its source text, each finding as a human-readable sentence. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from libs.contracts.evidence import Passage
from libs.language.topics.clauses import ClauseParts
from libs.text.dates.document_dates import DateMention
from libs.text.numbers.finder import Number
from services.answer.lexicon.related_words import is_covered
from services.answer.lexicon.words import is_past_form, stems_of
from services.answer.verification.alignment import Spot, best_overlap, spot
from services.answer.verification.claims import Claims
from services.answer.verification.measures import are_ends_supported, is_date_supported, is_supported
from services.answer.verification.names import other_names, unknown_names
from services.answer.verification.negations import negation_findings
from services.answer.verification.opposites import excluded_word
from services.answer.verification.windows import SourceMaterial

_ADDRESS = re.compile(
    r"\b(?:[a-z][a-z+.-]{0,30}://|www\.|mailto:)[^\s<>\"')\]]+|[\w.+-]{1,64}@[\w-]{1,255}\.[\w.-]+", re.IGNORECASE
)
"""64 and 255 are the limits of RFC 5321; 30 letters of a scheme bound the search (taste)."""
Figure: TypeAlias = Number | DateMention


def missing(claims: Claims, evidence: Claims, passage: Passage, material: SourceMaterial) -> Iterator[str]:
    """Yield a finding for every number, name and address in the claim that the source lacks.

    Args:
        claims: the sentence.
        evidence: the nearest words of the passage.
        passage: the whole passage; its title names its subject.
        material: all passages.
    """
    for quantity in claims.quantities:
        words = claims.text[quantity.start : quantity.end]
        may_be_of_date = words.isdecimal()
        if not is_supported(quantity, evidence.all_numbers if may_be_of_date else evidence.quantities):
            yield f"The source doesn't say “{words}”."
    yield from unknown_names(claims, passage, material)
    yield from _addresses(claims, passage)


def contrary(claims: Claims, evidence: Claims, title: str) -> Iterator[str]:
    """Yield what the source states differently: another number or name in the same position."""
    for quantity in claims.quantities:
        others = [other for other in evidence.quantities if other.unit == quantity.unit]
        matches = [other for other in others if is_supported(quantity, (other,))]
        if _is_exchanged(quantity, claims, matches, others, evidence):
            yield f"The source says “{claims.text[quantity.start : quantity.end]}” of something else."
    yield from other_names(claims, evidence, title)


def denials(claims: Claims, evidence: Claims) -> Iterator[str]:
    """Yield a finding for a denial or a word that excludes one of the claim in the source."""
    yield from negation_findings(claims, evidence)
    if word := excluded_word(claims, evidence):
        yield f"The source says another thing than “{word}”."


def missing_dates(claims: Claims, evidence: Claims) -> Iterator[str]:
    """Yield a finding for every date in the claim that the source lacks."""
    for date in claims.dates:
        if not are_ends_supported(date, evidence.dates, evidence.language):
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


def _addresses(claims: Claims, passage: Passage) -> Iterator[str]:
    """Yield a finding for every address that the passage lacks: an invented one could leak data to its server."""
    for address in _ADDRESS.findall(claims.text):
        if address.rstrip(".,;:!?").lower() not in passage.text.lower():
            yield f"The source doesn't give the address “{address}”."


def has_predicates(claims: Claims, evidence: Claims) -> bool:
    """Whether the source has the verb of each `, who …`, and a reason if the claim gives one."""
    forms, language = ClauseParts.of(claims.language), claims.language
    if forms.reason.search(claims.text) and not ClauseParts.of(evidence.language).reason_given.search(evidence.text):
        return False
    verbs = [match["verb"] for match in forms.relative_verb.finditer(claims.text)]
    stems = [stem for verb in verbs if is_past_form(verb, language) for stem in stems_of(verb, language)]
    return all(is_covered(stem, evidence.stems, language) for stem in stems)


def has_agent(claims: Claims, evidence: Sequence[Claims]) -> bool:
    """Whether one source sentence has both sides of `was … by …`.

    Args:
        claims: the sentence.
        evidence: the source sentences, each parsed separately.
    """
    passive = ClauseParts.of(claims.language).passive_agent.search(claims.text)
    if passive is None:
        return True
    objects = [name.text for name in claims.names if name.end <= passive.start()][-1:]
    agents = [name.text for name in claims.names if name.start >= passive.end()][:1]
    names = objects + agents
    return (
        len(names) < 2
        or any(all(name in sentence.text for name in names) for sentence in evidence)
        or not all(any(name in sentence.text for sentence in evidence) for name in names)
    )
