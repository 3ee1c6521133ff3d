"""Stems near in meaning to those of a question, as an embedding model learned them: `mail` has `email` and `send`.

The file `near_stems.txt` of a language has a row per stem; `python -m bench.fit near` makes it. People rarely ask in
the words of the documents. Blocks on the disk the first time.
"""

from collections.abc import Mapping
from functools import lru_cache

from libs.language.analysis import terms_of
from libs.language.files import word_table

NearStems = Mapping[str, tuple[str, ...]]
"""For a stem those near to it, the nearest first."""


def near_stems(text: str, language: str) -> NearStems:
    """Return those of a text's stems; none of a capitalised word, because another name is another thing.

    Raises:
        SettingsError: the user's folder of languages does not exist.
    """
    table = _table(language)
    words = " ".join(word for word in text.split() if not word[0].isupper()) if table else ""
    return {stem: table[stem] for stem in terms_of(words, language) if stem in table}


@lru_cache(maxsize=8)  # taste
def _table(language: str) -> NearStems:
    """Empty for a language without the file."""
    return {cells[0][0]: cells[1] for cells in word_table("near_stems", language)}
