"""Verbs by their forms. Words are lower-cased."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from libs.language.topics.grammar import Grammar, Inflection
from libs.language.topics.plans import Descriptions

_LEAST_ROOT: Final = 2
"""Least letters of a form without its ending (taste)."""


@lru_cache(maxsize=8192)  # taste
def base_form(word: str, language: str) -> str | None:
    """Return the base form of a known verb, from any of its forms; None for other words."""
    grammar = Grammar.of(language)
    if word in grammar.base_verbs:
        return word
    if word in grammar.irregular_forms:
        return grammar.irregular_forms[word]
    return next((base for base in _candidates(word, language) if base in grammar.base_verbs), None)


def is_past_form(word: str, language: str) -> bool:
    """Whether a word is a past tense or past participle of a known verb: `landed`, `built`, `won`."""
    grammar = Grammar.of(language)
    is_irregular = word in grammar.irregular_forms and word not in grammar.auxiliaries
    is_past = is_irregular or word.endswith(Inflection.of(language).past_endings)
    return is_past and base_form(word, language) not in {None, word}


def is_finite(word: str, language: str) -> bool:
    """Whether a word in verb position is a finite verb: a known one, or by its ending."""
    forms, past_endings = Descriptions.of(language), Inflection.of(language).past_endings
    is_known = word in forms.finite_verbs or is_past_form(word, language)
    is_third_person = word.endswith(forms.present_ending) and base_form(word, language) not in {None, word}
    return is_known or is_third_person or word.endswith(past_endings)


def _candidates(word: str, language: str) -> Iterator[str]:
    """Yield possible base forms of a regular form: launches, tries, stopped, moving."""
    inflection = Inflection.of(language)
    for ending in Grammar.of(language).regular_endings:
        root = word.removesuffix(ending)
        if root == word or len(root) < _LEAST_ROOT:
            continue
        yield from (root + end for end in inflection.base_endings.get("", ()))
        if inflection.doubles_letters and root[-1:] == root[-2:-1]:
            yield root[:-1]
        for end, bases in inflection.base_endings.items():
            yield from (root.removesuffix(end) + base for base in bases if end and root.endswith(end))
