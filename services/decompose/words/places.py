"""A short list of places, enough to distinguish "what about Venus?" from "what about Viking 2?"."""

from functools import lru_cache

from libs.language.places import place_names

LONGEST = 3
"""Maximum length of a place name, in words."""


def is_place(name: str, language: str) -> bool:
    """Whether a name, in any case and without its article, is a listed place."""
    return name.lower() in place_names(language)


def may_begin_place(word: str, language: str) -> bool:
    """Whether a listed place begins with a word, in any case."""
    return word.lower() in _first_words(language)


@lru_cache(maxsize=64)
def _first_words(language: str) -> frozenset[str]:
    return frozenset(name.split()[0] for name in place_names(language))
