"""Past forms of verbs and their base forms: `landed` -> `Where did … land?`, `driven` -> `drive`.

A list, not rules: an unlisted form makes no question, rather than a wrong one.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from libs.language.topics.grammar import VerbForms
from libs.language.word_table import word_table
from libs.text.tokens import stem


@lru_cache(maxsize=64)
def base_forms(language: str) -> Mapping[str, str]:
    """Map each past form to its base form."""
    return {form: base for (base,), past_forms, *_ in word_table("verbs", language) for form in past_forms}


@lru_cache(maxsize=64)
def irregular_stems(language: str) -> Mapping[str, str]:
    """Map the stem of each other form to the stem of its base form, without forms that are also nouns."""
    nouns = VerbForms.of(language).also_nouns
    pairs = ((stem(form, language), stem(base, language)) for form, base in _forms(language) if form not in nouns)
    return {form: base for form, base in pairs if form != base}


def _forms(language: str) -> Iterator[tuple[str, str]]:
    return ((form, base) for (base,), *cells in word_table("verbs", language) for cell in cells for form in cell)


def is_past_form(word: str, language: str) -> bool:
    """Whether a lower-cased word is a past form, or ends as one."""
    return word in base_forms(language) or word.endswith(VerbForms.of(language).past_endings)
