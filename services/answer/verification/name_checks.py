"""Checks the names in a claim: the source must mention each of them and have no other name in its place. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from libs.contracts.evidence import Passage
from libs.language.topics.clauses import ClauseParts
from libs.text.names import Name
from services.answer.lexicon.related_words import covered_share
from services.answer.lexicon.words import has_phrase, is_past_form
from services.answer.verification.alignment import REACH, Spot, best_overlap, fits_another_better, spot
from services.answer.verification.claims import Claims
from services.answer.verification.mentions import mentions, shares
from services.answer.verification.windows import SourceMaterial

_FOLLOWING_WORD: Final = re.compile(r"\W*(?P<word>\w+)")
_SENTENCE_BEGINS: Final = re.compile(r"\A|[.!?]\s+")
_ALIKE = 0.6
"""Share of the claim's words other than names from which the source says the same of somebody, also of a rival
(by hand)."""
_SUBJECT_ALIKE = 0.5
"""The share that suffices if the name is the claim's subject (by hand)."""
_SIBLINGS_REACH = 6
"""Words around a name that tell which of two names of one kind (`Viking 1`, `Viking 2`) is meant (taste)."""
_FIRST_WORDS = 3
"""Words before the subject of a sentence at most (taste)."""
_MIN_FIT = 2
"""A name with this many neighbours in common is in the other one's place (taste)."""


def unknown_names(claims: Claims, evidence: Claims, passage: Passage, material: SourceMaterial) -> Iterator[str]:
    """Yield a human-readable sentence for each name that the sources do not mention.

    Args:
        claims: the sentence.
        evidence: the nearest words of the passage.
        passage: the whole passage; its title names its subject.
        material: all passages.
    """
    for name in claims.names:
        is_known = (
            mentions(name, evidence.text, claims.language)
            or mentions(name, material.text, claims.language)
            or has_phrase(name.text, passage.title)
        )
        if not is_known and _is_name(name, claims, evidence):
            yield f"The source doesn't name “{name.text}”."


def names_elsewhere(claims: Claims, evidence: Claims, title: str) -> int:
    """How many names of the claim are missing in a sentence about another name, and in its passage's title."""
    missing_names = [
        name
        for name in claims.names
        if not (
            mentions(name, evidence.text, claims.language)
            or has_phrase(name.text, title)
            or shares(name, title, claims.language)
        )
    ]
    if not missing_names or all(has_phrase(rival.text, title) for rival in _rivals(claims, evidence)):
        return 0
    return sum(_is_name(name, claims, evidence) for name in missing_names)


def other_names(claims: Claims, evidence: Claims, title: str) -> Iterator[str]:
    """Yield a human-readable sentence for each name of the claim that the source replaces by another one."""
    for name in claims.names:
        if mentions(name, evidence.text, claims.language):
            is_replaced = _names_sibling(name, claims, evidence)
        elif not _is_name(name, claims, evidence):
            is_replaced = False
        elif has_phrase(name.text, title):
            is_replaced = any(_is_sibling(name, other) for other in evidence.names)
        else:
            is_replaced = _has_rival(name, claims, evidence, title)
        if is_replaced:
            yield f"The source says this of something other than “{name.text}”."


def _names_sibling(name: Name, claims: Claims, evidence: Claims) -> bool:
    """Whether the source has another member of a numbered series in this one's place, if it mentions both."""
    siblings = [other for other in evidence.names if _is_sibling(name, other)]
    if not siblings:
        return False
    same_positions = [
        _position(other, evidence, _SIBLINGS_REACH) for other in evidence.names if other.text == name.text
    ]
    sibling_positions = [_position(other, evidence, _SIBLINGS_REACH) for other in siblings]
    return bool(same_positions) and fits_another_better(
        _position(name, claims, _SIBLINGS_REACH), same_positions, sibling_positions
    )


def _is_sibling(name: Name, other: Name) -> bool:
    """Whether both belong to the same numbered series: `Venera 7` and `Venera 8`."""
    head, _, number = name.text.rpartition(" ")
    if not number.isdecimal() or other.text == name.text:
        return False
    other_head, _, other_number = other.text.rpartition(" ")
    return other_head == head and other_number.isdecimal()


def _is_name(name: Name, claims: Claims, evidence: Claims) -> bool:
    """Whether a word is a name; an uncertain one must be the subject, where the source has another subject."""
    return name.is_sure or name.text.isupper() or (_is_subject(name, claims) and _rival_subject(claims, evidence))


def _is_subject(name: Name, claims: Claims) -> bool:
    following = _FOLLOWING_WORD.match(claims.text, name.end)
    word = following["word"].lower() if following else ""
    return word in ClauseParts.of(claims.language).finite or is_past_form(word, claims.language)


def _rival_subject(claims: Claims, evidence: Claims) -> bool:
    starts = [match.end() for match in _SENTENCE_BEGINS.finditer(evidence.text)]
    return any(evidence.text.startswith(other.text, start) for other in _rivals(claims, evidence) for start in starts)


def _has_rival(name: Name, claims: Claims, evidence: Claims, title: str) -> bool:
    """Whether the source has a name in this one's place that the claim does not mention."""
    position, rivals = _position(name, claims), _rivals(claims, evidence)
    beside_title = [rival for rival in rivals if not has_phrase(rival.text, title)]
    if beside_title and name.is_sure and _is_similar(claims, evidence):
        return True
    if _is_main_subject(name, claims, beside_title, evidence) and _is_similar(claims, evidence, _SUBJECT_ALIKE):
        return True
    is_sole_rival = len({rival.text for rival in rivals}) == 1 and _count_unmentioned(claims, evidence) == 1
    least_overlap = (0 if _is_similar(claims, evidence) else 1) if is_sole_rival else _MIN_FIT
    return any(
        _is_sibling(name, other) or best_overlap(position, [_position(other, evidence)]) >= least_overlap
        for other in rivals
    )


def _count_unmentioned(claims: Claims, evidence: Claims) -> int:
    return sum(not mentions(other, evidence.text, claims.language) for other in claims.names)


def _is_main_subject(name: Name, claims: Claims, rivals: Sequence[Name], evidence: Claims) -> bool:
    """Whether this name is the subject of the claim and a rival the subject of the source: each comes first."""
    return _begins(name, claims) and _is_subject(name, claims) and any(_begins(rival, evidence) for rival in rivals[:1])


def _begins(name: Name, claims: Claims) -> bool:
    """Whether a name comes first in its sentence and near its beginning, and so is most likely its subject."""
    return claims.names[:1] == (name,) and claims.text.count(" ", 0, name.start) <= _FIRST_WORDS


def _is_similar(claims: Claims, evidence: Claims, least: float = _ALIKE) -> bool:
    """Whether the source has most of the claim's words, not counting names."""
    return covered_share(claims.stems - claims.name_stems, evidence.stems, claims.language) >= least


def _position(name: Name, claims: Claims, reach: int = REACH) -> Spot:
    return spot(claims.occurrences, name.start, name.end, reach)


def _rivals(claims: Claims, evidence: Claims) -> list[Name]:
    """Names in the source that the claim does not mention: the source may be about one of them."""
    return [
        other
        for other in evidence.names
        if not mentions(other, claims.text, claims.language) and not _is_word(other, evidence)
    ]


def _is_word(name: Name, evidence: Claims) -> bool:
    """Whether an uncertain name also occurs in lower case."""
    lower_text = name.text.lower()
    return (
        not name.is_sure
        and lower_text in evidence.text
        and re.search(rf"\b{re.escape(lower_text)}\b", evidence.text) is not None
    )
