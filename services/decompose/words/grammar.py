"""Verbs by their forms. Words are lower-cased."""

from functools import lru_cache

from libs.language.topics.grammar import Grammar, Inflection
from libs.language.topics.plans import Descriptions
from libs.text.tokens import stem


def is_past_form(word: str, language: str) -> bool:
    """Whether a word is a past tense or past participle of a known verb: `landed`, `built`, `won`."""
    grammar = Grammar.of(language)
    is_irregular = word in grammar.irregular_forms and word not in grammar.auxiliaries
    return is_irregular or (word.endswith(Inflection.of(language).past_endings) and _is_inflected(word, language))


def is_finite(word: str, language: str) -> bool:
    """Whether a word in verb position is a finite verb: a known one, or by its ending."""
    forms, past_endings = Descriptions.of(language), Inflection.of(language).past_endings
    is_known = word in forms.finite_verbs or is_past_form(word, language)
    is_third_person = word.endswith(forms.present_ending) and _is_inflected(word, language)
    return is_known or is_third_person or word.endswith(past_endings)


def _is_inflected(word: str, language: str) -> bool:
    """Whether a word is another form than the base form of a known verb."""
    return word not in Grammar.of(language).base_verbs and stem(word, language) in _verb_stems(language)


@lru_cache(maxsize=64)  # taste
def _verb_stems(language: str) -> frozenset[str]:
    return frozenset(stem(verb, language) for verb in Grammar.of(language).base_verbs)
