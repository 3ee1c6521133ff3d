"""Checks the names in a claim: the source must mention each of them and have no other name in its place. Pure.

A name counts as mentioned in another form (`Indian`), by another name (`UK`), or spelled out (`PMI`), too.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from libs.contracts.evidence import Passage
from libs.language.files import word_table
from libs.language.patterns import any_of
from libs.language.topics.names import NameForms
from libs.text.names import Name
from services.answer.lexicon.related_words import covered_share
from services.answer.lexicon.words import has_phrase, stems_of
from services.answer.verification.claims import Claims, best_overlap, spot
from services.answer.verification.windows import SourceMaterial

_MIN_ACRONYM: Final = 2
"""Letters of an acronym (taste)."""
_ALIKE: Final = 0.5
"""Share of the claim's words other than names from which the source says the same of somebody (by hand)."""
_MIN_FIT: Final = 2
"""A name with this many neighbours in common is in the other one's place (taste)."""


def unknown_names(claims: Claims, passage: Passage, material: SourceMaterial) -> Iterator[str]:
    """Yield a human-readable sentence for each name that neither the passages nor this passage's title mention."""
    for name in claims.names:
        if not (mentions(name, material.text, claims.language) or has_phrase(name.text, passage.title)):
            yield f"The source doesn't name “{name.text}”."


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
