"""A short list of places, enough to distinguish "what about Venus?" from "what about Viking 2?"."""

from functools import lru_cache
from pathlib import Path

LONGEST = 3
"""Maximum length of a place name, in words."""


def is_place(name: str) -> bool:
    """Whether a name, in any case and without its article, is a listed place."""
    return name.lower() in _places()


def may_begin_place(word: str) -> bool:
    """Whether a listed place begins with a word, in any case."""
    return word.lower() in _first_words()


@lru_cache(maxsize=1)
def _places() -> frozenset[str]:
    lines = Path(__file__).with_name("places.txt").read_text(encoding="utf-8").splitlines()
    names = " ".join(line for line in lines if not line.startswith("#")).split()
    return frozenset(name.replace("_", " ") for name in names)


@lru_cache(maxsize=1)
def _first_words() -> frozenset[str]:
    return frozenset(name.split()[0] for name in _places())
