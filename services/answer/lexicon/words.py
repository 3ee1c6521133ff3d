"""Content stems from `libs.text.tokens.content_stems`, cached by word.

Irregular forms are reduced too: `driven` is `drive`, and `children` is `child`. An answer compares its question with a
hundred sentences, most of whose words have been seen before. Pure functions with caches, per language or text; a list
is read from its file on first use.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain

from libs.language.files import word_table
from libs.language.topics.clauses import ClauseParts
from libs.text.tokens import content_stems, stem


@lru_cache(maxsize=64)  # taste
def singular_stems(language: str) -> Mapping[str, str]:
    """Map the stem of each irregular plural to the stem of its singular, where they differ."""
    pairs = (
        (stem(plural, language), stem(singular, language))
        for (singular,), plurals in word_table("plurals", language)
        for plural in plurals
    )
    return {plural: singular for plural, singular in pairs if plural != singular}


@lru_cache(maxsize=64)  # taste
def base_forms(language: str) -> Mapping[str, str]:
    """Map each past form to its base form."""
    return {form: base for (base,), past_forms, *_ in word_table("verbs", language) for form in past_forms}


@lru_cache(maxsize=64)  # taste
def irregular_stems(language: str) -> Mapping[str, str]:
    """Map the stem of each other form to the stem of its base form, without forms that are also nouns."""
    nouns = ClauseParts.of(language).also_nouns
    pairs = ((stem(form, language), stem(base, language)) for form, base in _forms(language) if form not in nouns)
    return {form: base for form, base in pairs if form != base}


def _forms(language: str) -> Iterator[tuple[str, str]]:
    return ((form, base) for (base,), *cells in word_table("verbs", language) for cell in cells for form in cell)


def is_past_form(word: str, language: str) -> bool:
    """Whether a lower-cased word is a past form, or ends as one."""
    return word in base_forms(language) or word.endswith(ClauseParts.of(language).past_endings)


@lru_cache(maxsize=2048)  # taste
def stems_of(text: str, language: str) -> tuple[str, ...]:
    """Return the stems of a text's content words, in order, with repetitions."""
    # No token spans white space, so the pieces give the same stems as the whole text.
    return tuple(chain.from_iterable(_stems_of_piece(piece, language) for piece in text.split()))


@lru_cache(maxsize=65_536)  # taste
def _stems_of_piece(piece: str, language: str) -> tuple[str, ...]:
    bases = _bases(language)
    return tuple(bases.get(stem, stem) for stem in content_stems(piece, language))


@lru_cache(maxsize=64)  # taste
def _bases(language: str) -> Mapping[str, str]:
    return {**singular_stems(language), **irregular_stems(language)}


def has_phrase(phrase: str, text: str) -> bool:
    """Whether a text has a phrase according to `phrase_pattern`."""
    return phrase_pattern(phrase).search(text) is not None


@lru_cache(maxsize=512)  # taste
def phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Return a pattern that matches a phrase as whole words, in any case and with any space, hyphen or apostrophe.

    `Yutu` is not found in `Yutu-2`.
    """
    words = [re.escape(word).replace("’", "'").replace("'", "['’]") for word in re.split(r"[\s\-‐‑]+", phrase) if word]
    return re.compile(r"(?<!\w)" + r"[\s\-‐‑]+".join(words) + r"(?!\w|[\-‐‑]\d)", re.IGNORECASE)
