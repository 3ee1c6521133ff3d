"""Things of one kind that exclude each other: `basalt` is not `granite`, an `engineer` not a `journalist`.

Unlike the synonyms of `related_words`, the words on one line occur in the same places but mean different things; words
between two bars mean the same. General words only, by stems; a word with several senses is left out unless the line
makes its sense clear.
"""

from collections.abc import Mapping
from functools import lru_cache

from libs.language.word_table import word_table
from services.answer.lexicon.words import stems_of


@lru_cache(maxsize=64)
def siblings(language: str) -> Mapping[str, frozenset[str]]:
    """Map a stem to those of the other things of its kind."""
    siblings_by_stem: dict[str, frozenset[str]] = {}
    for row in word_table("siblings", language):
        things = [frozenset(stems_of(" ".join(thing), language)) for thing in row]
        all_stems = frozenset().union(*things)
        for thing in things:
            for stem in thing:
                siblings_by_stem[stem] = siblings_by_stem.get(stem, frozenset()) | (all_stems - thing)
    return siblings_by_stem
