"""Checks the names in a claim: the source must mention each of them and have no other name in its place."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from libs.contracts.evidence import Passage
from libs.language.known import language_of
from libs.language.patterns import any_of
from libs.language.topics.name_forms import NameForms
from libs.language.topics.verb_forms import VerbForms
from libs.language.word_table import word_table
from services.answer.lexicon.related_words import covered_share
from services.answer.lexicon.verbs import is_past_form
from services.answer.lexicon.words import has_phrase, places_of, stems_of
from services.answer.verification.alignment import REACH, Spot, best_overlap, fits_another_better, spot
from services.answer.verification.claims import Claims
from services.answer.verification.naming import Name
from services.answer.verification.windows import SourceMaterial

_LEAST_ACRONYM = 2
_LONGEST_BEFORE = 30
_CAPITAL_BEFORE: Final = re.compile(r"[^\W\d_a-z]\w+\s\Z")
_FOLLOWING_WORD: Final = re.compile(r"\W*(?P<word>\w+)")
_SENTENCE_BEGINS: Final = re.compile(r"\A|[.!?]\s+")
_ALIKE = 0.6
_SIBLINGS_REACH = 6
_TOLD = 0.6
_SUBJECT_ALIKE = 0.5
_FIRST_WORDS = 3
_LEAST_FIT = 2
"""A name with this many neighbours in common is in the other one's place."""


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
            _mentions(name, evidence.text, claims.language)
            or _mentions(name, material.text, claims.language)
            or _has_name(name.text, passage.title)
        )
        if not is_known and _is_name(name, claims, evidence):
            yield f"The source doesn't name “{name.text}”."


def names_elsewhere(claims: Claims, evidence: Claims, title: str) -> int:
    """How many names of the claim are missing in a sentence about another name, and in its passage's title."""
    missing_names = [
        name
        for name in claims.names
        if not (
            _mentions(name, evidence.text, claims.language)
            or _has_name(name.text, title)
            or _shares(name, title, claims.language)
        )
    ]
    if not missing_names or all(_has_name(rival.text, title) for rival in _rivals(claims, evidence)):
        return 0
    return sum(_is_name(name, claims, evidence) for name in missing_names)


def _shares(name: Name, title: str, language: str) -> bool:
    return _has_last_word(name, title, language) or _has_stems(name, title, language)


def other_names(claims: Claims, evidence: Claims, title: str) -> Iterator[str]:
    """Yield a human-readable sentence for each name of the claim that the source replaces by another one."""
    for name in claims.names:
        if _mentions(name, evidence.text, claims.language):
            is_replaced = _names_sibling(name, claims, evidence)
        elif not _is_name(name, claims, evidence):
            is_replaced = False
        elif _has_name(name.text, title):
            is_replaced = any(_is_sibling(name, other) for other in evidence.names)
        else:
            is_replaced = _has_rival(name, claims, evidence, title)
        if is_replaced:
            yield f"The source says this of something other than “{name.text}”."


def _mentions(name: Name, text: str, language: str) -> bool:
    return (
        _has_name(name.text, text)
        or _has_last_word(name, text, language)
        or _has_stems(name, text, language)
        or any(_has_name(alias, text) for alias in _aliases(name.text.lower(), language))
        or (name.text.isupper() and _spelled_out(name.text, text, language))
    )


def _has_name(name: str, text: str) -> bool:
    return has_phrase(name, text)


def _aliases(name: str, language: str) -> tuple[str, ...]:
    """The other names of a country or world, and its adjectives."""
    return next((people for (people,) in word_table("peoples", language) if name in people), ())


def _has_last_word(name: Name, text: str, language: str) -> bool:
    """Whether the last word alone is in the text: `Armstrong` for `Neil Armstrong`.

    `Genesis Rock` does not match `Exodus Rock`, unless any noun may precede it; a number alone never matches.
    """
    *others, last = name.text.split()
    if not others or last.isdecimal():
        return False
    positions = (position for position in places_of(last, text) if text[position].isupper())
    return any(
        language_of(language).capitalises_nouns
        or not _CAPITAL_BEFORE.search(text, max(0, position - _LONGEST_BEFORE), position)
        for position in positions
    )


def _has_stems(name: Name, text: str, language: str) -> bool:
    """Whether each word is in the text in some form: `Surveyors` for `Surveyor`, `Indian` for `India`."""
    if any(character.isdigit() for character in name.text):
        return False
    text_stems = _stems(text, language)
    return all(
        (word.isupper() and _spelled_out(word, text, language))
        or all(stem in text_stems or _same_root(stem, text_stems) for stem in stems_of(word, language))
        for word in name.text.split()
    )


@lru_cache(maxsize=256)
def _stems(text: str, language: str) -> frozenset[str]:
    return frozenset(stems_of(text, language))


def _same_root(stem: str, stems: frozenset[str]) -> bool:
    root = stem[:-1] if len(stem) > 5 else stem
    return len(root) >= 4 and any(
        other.startswith(root) or (len(other) >= 5 and stem.startswith(other)) for other in stems
    )


def _spelled_out(name: str, text: str, language: str) -> bool:
    """Whether the text spells out an acronym: `private mortgage insurance` for `PMI`."""
    letters = [re.escape(letter) for letter in name if letter.isalpha()]
    if len(letters) < max(_LEAST_ACRONYM, len(name)):
        return False
    forms = NameForms.of(language)
    gap = "*" if forms.compounds else "+"
    pattern = r"\b" + rf"\w*[\s\-]{gap}(?:{any_of(forms.acronym_links)}\s+)?".join(letters)
    # Two letters match almost any two words, so the words for a two-letter acronym (`US`) must be capitalised.
    return re.search(pattern, text, re.IGNORECASE if len(letters) > _LEAST_ACRONYM else 0) is not None


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
    return name.sure or name.text.isupper() or (_is_subject(name, claims) and _rival_subject(claims, evidence))


def _is_subject(name: Name, claims: Claims) -> bool:
    following = _FOLLOWING_WORD.match(claims.text, name.end)
    word = following["word"].lower() if following else ""
    return word in VerbForms.of(claims.language).finite or is_past_form(word, claims.language)


def _rival_subject(claims: Claims, evidence: Claims) -> bool:
    starts = [match.end() for match in _SENTENCE_BEGINS.finditer(evidence.text)]
    return any(evidence.text.startswith(other.text, start) for other in _rivals(claims, evidence) for start in starts)


def _has_rival(name: Name, claims: Claims, evidence: Claims, title: str) -> bool:
    """Whether the source has a name in this one's place that the claim does not mention."""
    position, rivals = _position(name, claims), _rivals(claims, evidence)
    beside_title = [rival for rival in rivals if not _has_name(rival.text, title)]
    if beside_title and name.sure and _is_similar(claims, evidence, _TOLD):
        return True
    if _is_main_subject(name, claims, beside_title, evidence) and _is_similar(claims, evidence, _SUBJECT_ALIKE):
        return True
    is_sole_rival = len({rival.text for rival in rivals}) == 1 and _count_unmentioned(claims, evidence) == 1
    least_overlap = (0 if _is_similar(claims, evidence) else 1) if is_sole_rival else _LEAST_FIT
    return any(
        _is_sibling(name, other) or best_overlap(position, [_position(other, evidence)]) >= least_overlap
        for other in rivals
    )


def _count_unmentioned(claims: Claims, evidence: Claims) -> int:
    return sum(not _mentions(other, evidence.text, claims.language) for other in claims.names)


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
        if not _mentions(other, claims.text, claims.language) and not _is_word(other, evidence)
    ]


def _is_word(name: Name, evidence: Claims) -> bool:
    """Whether an uncertain name also occurs in lower case."""
    lowered = name.text.lower()
    return (
        not name.sure
        and lowered in evidence.text
        and re.search(rf"\b{re.escape(lowered)}\b", evidence.text) is not None
    )
