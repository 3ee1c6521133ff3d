"""Verbs by their forms, and function words by their role in a question. Words are lower-cased."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from libs.language.topics.grammar import Grammar, Inflection
from libs.text.tokens import Token

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


def find_verbs(tokens: Sequence[Token], names: frozenset[int], language: str) -> frozenset[int]:
    """Return the positions of the full verbs, without auxiliaries; `names` are positions that belong to names."""
    words, grammar = [token.text.lower() for token in tokens], Grammar.of(language)
    verbs: set[int] = set()
    waiting = False  # an auxiliary such as "did" was found, and its verb not yet
    for index, word in enumerate(words):
        if word in grammar.do_support:
            waiting = True
        elif index not in names and _is_verb(words, index, waiting or index - 1 in names, language):
            verbs.add(index)
            waiting = False
    return frozenset(verbs)


def _is_verb(words: Sequence[str], index: int, follows_subject: bool, language: str) -> bool:
    """Whether a word is a verb, by its form and the word before it."""
    grammar, word, before = Grammar.of(language), words[index], words[index - 1] if index else ""
    if base_form(word, language) is None or word in grammar.auxiliaries:
        return False
    if not before:
        return word in grammar.imperatives
    if word.endswith(Inflection.of(language).continuous_endings):
        return before in grammar.auxiliaries
    if before in grammar.before_verbs:
        return True
    if before in grammar.determiners or before in grammar.prepositions:
        return False
    is_modal = before in grammar.auxiliaries and before not in grammar.do_support
    return follows_subject or is_modal or is_past_form(word, language)
