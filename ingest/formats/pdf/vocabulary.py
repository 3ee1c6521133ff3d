"""Which words a language has, as far as its table of near stems tells. Blocks on the disk the first time."""

from collections import Counter
from functools import lru_cache
from typing import Final

from libs.language.analysis import terms_of
from libs.language.near_stems import near_stems, stems

MIN_USES: Final = 12
"""Stems that begin with a prefix and go on with another stem: `inter` has 14, `over` 17, `high` 3, `well` none."""
SHORTEST: Final = 3
"""Letters of what follows a prefix."""


def is_word(word: str, language: str) -> bool:
    """Whether a language has a word: one without meaning of its own, or one of a known stem."""
    return not terms_of(word.lower(), language) or bool(near_stems(word.lower(), language))


@lru_cache(maxsize=8)
def prefixes(language: str) -> frozenset[str]:
    """What begins many words whose rest is a word as well."""
    known = stems(language)
    uses = Counter(stem[:end] for stem in known for end in range(2, len(stem) - SHORTEST + 1) if stem[end:] in known)
    return frozenset(prefix for prefix, count in uses.items() if count >= MIN_USES)
