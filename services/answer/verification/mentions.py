"""Finds a name in a text, also in part (`Armstrong`), in another form (`Indian`), or spelled out (`PMI`). Pure."""

import re
from functools import lru_cache
from typing import Final

from libs.language.files import word_table
from libs.language.known import language_of
from libs.language.patterns import any_of
from libs.language.topics.names import NameForms
from libs.text.names import Name
from services.answer.lexicon.words import has_phrase, positions_of, stems_of

_MIN_ACRONYM: Final = 2
"""Letters of an acronym (taste)."""
_MAX_BEFORE: Final = 30
"""Characters before a name that are searched for a capitalised word, which would make it a part of another name
(taste)."""
_CAPITAL_BEFORE: Final = re.compile(r"[^\W\d_a-z]\w+\s\Z")


def mentions(name: Name, text: str, language: str) -> bool:
    """Whether a text has a name, as written, in part, in another form, or spelled out."""
    return (
        has_phrase(name.text, text)
        or _has_last_word(name, text, language)
        or _has_stems(name, text, language)
        or any(has_phrase(alias, text) for alias in _aliases(name.text.lower(), language))
        or (name.text.isupper() and _spelled_out(name.text, text, language))
    )


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
    positions = (position for position in positions_of(last, text) if text[position].isupper())
    return any(
        language_of(language).capitalises_nouns
        or not _CAPITAL_BEFORE.search(text, max(0, position - _MAX_BEFORE), position)
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
    forms = NameForms.of(language)
    pattern = r"\b" + rf"\w*[\s\-]+(?:{any_of(forms.acronym_links)}\s+)?".join(letters)
    # Two letters match almost any two words, so the words for a two-letter acronym (`US`) must be capitalised.
    if re.search(pattern, text, re.IGNORECASE if len(letters) > _MIN_ACRONYM else 0):
        return True
    return forms.compounds and len(letters) > _MIN_ACRONYM and _is_in_one_word(letters, text)


def _is_in_one_word(letters: list[str], text: str) -> bool:
    """Whether a word has the letters in their order: `Bundesnachrichtendienst` for `BND`."""
    first, *others = letters
    pattern = rf"\b{first}" + "".join(rf"[^\W{letter}]*{letter}" for letter in others)
    return re.search(pattern, text, re.IGNORECASE) is not None


def shares(name: Name, title: str, language: str) -> bool:
    """Whether a title has part of a name, or its words in another form."""
    return _has_last_word(name, title, language) or _has_stems(name, title, language)
