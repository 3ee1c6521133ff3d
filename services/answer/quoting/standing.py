"""How far a sentence stands by itself: how much likelier it opens a section than it goes on in one.

Whether a sentence leans on the one before it need not be labelled: documents put sentences that stand by themselves
first. The logarithm of the odds is a sum over the sentence's first words, the common words among the next ones, those
of them that a word named before follows (`the new mill`), and its length if it is short. The weights are fitted
(`python -m bench.fit standing`) and stored in `standing.json` beside this module, with what they were fitted on and
what that gave. Pure functions, but for the weights, which are read once.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from libs.language.analysis import terms_of
from libs.text.memoize import memoized

WEIGHTS: Final = "standing.json"
FIRST: Final = 3
"""Words of the beginning that are read together (Chinese and Japanese: twice as many characters)."""
NEXT: Final = 7
"""Words among which the common ones count (.05 less area under the curve without them; 12 and all: the same)."""
NEAR: Final = 2  # words after one that may be named before (taste)
DEPENDS: Final = -0.6
"""Below this a sentence is hardly understood by itself (-.8: whole answers .02 less)."""
NEEDS: Final = -2.4
"""Below this it is not quoted without what precedes it (-9: .01 less)."""
STANDS, GOES_ON = 9.0, -9.0
"""Of what needs nothing before it, such as an item of a list, and of the second half of a sentence."""
_UNSPACED: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
CHARACTER: Final = re.compile(f"[{_UNSPACED}]")
"""Of kana or Chinese, which are written without spaces between words."""
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['’][^\W_]+)*")


def words_of(sentence: str) -> Sequence[str]:
    """The words of a sentence in lower case; each Chinese or Japanese character is one."""
    return [word.replace("’", "'") for word in _WORD.findall(sentence.lower())]


def features(words: Sequence[str], language: str, named: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield what is weighed of a sentence.

    Its beginnings, `~` and a word near the beginning, `+` and one with a word named before next to it, `#` and its
    length; see `standing`.
    """
    is_spaced = not words or not CHARACTER.match(words[0])
    for count in range(1, min(len(words), FIRST if is_spaced else 2 * FIRST) + 1):
        yield " ".join(words[:count])
    if is_spaced:
        yield from {f"~{word}" for word in words[1:NEXT]}
        is_named = [not named.isdisjoint(_terms_of(word, language)) for word in words[: NEXT + NEAR] if named]
        yield from {f"+{word}" for at, word in enumerate(words[:NEXT]) if any(is_named[at + 1 : at + 1 + NEAR])}
    yield f"#{len(words)}"


def standing(sentence: str, language: str, named: frozenset[str] = frozenset()) -> float:
    """Return how far a sentence stands by itself: above 0 if it opens sections rather than going on in them.

    Args:
        sentence: the sentence.
        language: ISO 639-1; in one without weights all sentences are taken to stand.
        named: terms of what precedes it that no heading has.
    """
    weights = _fitted().get(language, {})
    return sum(weights.get(feature, 0) for feature in features(words_of(sentence), language, named)) / 100


@memoized(texts=8192, longest=64)  # characters (taste)
def _terms_of(word: str, language: str) -> Sequence[str]:
    return terms_of(word, language)


@lru_cache(maxsize=1)
def _fitted() -> Mapping[str, Mapping[str, int]]:
    """Read the weights of each language, in hundredths."""
    fitted: Mapping[str, Mapping[str, int]] = json.loads((files(__package__) / WEIGHTS).read_text("utf-8"))["weights"]
    return fitted
