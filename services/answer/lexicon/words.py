"""Content stems, fast: those of `services.text.tokens.content_stems`, remembered by word, `driven` as `drive`.

An answer compares its question with a hundred sentences; most of their words have been seen before.
"""

import re
from functools import lru_cache
from itertools import chain

from services.answer.lexicon.verbs import irregular_stems
from services.text.tokens import content_stems

_PLAIN_RUN = re.compile("[a-z0-9]+")


@lru_cache(maxsize=2048)
def stems_of(text: str) -> tuple[str, ...]:
    """The stems of a text's content words, in order, repeated as they are."""
    # No token spans white space, so reading piece by piece gives the same as reading the whole.
    return tuple(chain.from_iterable(map(_stems_of_piece, text.split())))


@lru_cache(maxsize=65_536)
def _stems_of_piece(piece: str) -> tuple[str, ...]:
    bases = irregular_stems()
    return tuple(bases.get(stem, stem) for stem in content_stems(piece))


def has_phrase(phrase: str, text: str) -> bool:
    """Whether a text has a phrase as `phrase_pattern` finds it."""
    return find_phrase(phrase, text) is not None


def find_phrase(phrase: str, text: str) -> re.Match[str] | None:
    """Where `phrase_pattern` finds a phrase first; most texts have not even its longest word, which is told quickly."""
    return phrase_pattern(phrase).search(text) if _longest_word(phrase) in text.lower() else None


@lru_cache(maxsize=4096)
def _longest_word(phrase: str) -> str:
    """The longest run of plain letters and digits, which every spelling of the phrase has."""
    return max(_PLAIN_RUN.findall(phrase.lower()), key=len, default="")


@lru_cache(maxsize=512)
def phrase_pattern(phrase: str) -> re.Pattern[str]:
    """Finds a phrase as whole words in any case, whatever space, hyphen or apostrophe its spelling has; in `Yutu-2` no
    `Yutu`."""
    words = [re.escape(word).replace("’", "'").replace("'", "['’]") for word in re.split(r"[\s\-‐‑]+", phrase) if word]
    return re.compile(r"(?<!\w)" + r"[\s\-‐‑]+".join(words) + r"(?!\w|[\-‐‑]\d)", re.IGNORECASE)
