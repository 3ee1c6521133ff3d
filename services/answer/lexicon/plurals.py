"""Plurals that the stemmer does not reduce to their singulars: `children` -> `child`."""

from collections.abc import Mapping
from functools import lru_cache

from libs.language.word_table import word_table
from libs.text.tokens import stem


@lru_cache(maxsize=64)
def singular_stems(language: str) -> Mapping[str, str]:
    """Map the stem of each irregular plural to the stem of its singular, where they differ."""
    pairs = (
        (stem(plural, language), stem(singular, language))
        for (singular,), plurals in word_table("plurals", language)
        for plural in plurals
    )
    return {plural: singular for plural, singular in pairs if plural != singular}
