"""How far a sentence stands by itself: how much likelier it opens a section than it goes on in one.

Whether a sentence leans on the one before it need not be labelled: documents put sentences that stand by themselves
first. The logarithm of the odds is a sum over the sentence's first words, the common words among the next ones, and
its length if it is short; a sentence that begins with a connective (`Otherwise`) leans at least as far as LEANING.
The weights are fitted (`python -m bench.fit standing`) and stored in `standing.json` beside
this module, with what they were fitted on and what that gave. Pure functions, but for the weights, which are read once.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from libs.language.topics.clauses import Connectives

WEIGHTS: Final = "standing.json"
FIRST: Final = 3
"""Words of the beginning that are read together (Chinese and Japanese: twice as many characters)."""
NEXT: Final = 7
"""Words among which the common ones count (.05 less area under the curve without them; 12 and all: the same)."""
DEPENDS: Final = -1.0
"""Below this a sentence is hardly understood by itself (-.6: whole answers .004 to .018 less; -1.2: the same)."""
LEANING: Final = -2.0
"""Of a sentence that begins with a connective (below `DEPENDS`)."""
STANDS, GOES_ON = 9.0, -9.0
"""Of what needs nothing before it, such as an item of a list, and of the second half of a sentence."""
_UNSPACED: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
CHARACTER: Final = re.compile(f"[{_UNSPACED}]")
"""Of kana or Chinese, which are written without spaces between words."""
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['’][^\W_]+)*")


def words_of(sentence: str) -> Sequence[str]:
    """The words of a sentence in lower case; each Chinese or Japanese character is one."""
    return [word.replace("’", "'") for word in _WORD.findall(sentence.lower())]


def features(words: Sequence[str]) -> Iterator[str]:
    """Yield what is weighed: the sentence's beginnings, `~` and a word near it, `#` and its length; see `standing`."""
    is_spaced = not words or not CHARACTER.match(words[0])
    for count in range(1, min(len(words), FIRST if is_spaced else 2 * FIRST) + 1):
        yield " ".join(words[:count])
    if is_spaced:
        yield from {f"~{word}" for word in words[1:NEXT]}
    yield f"#{len(words)}"


def standing(sentence: str, language: str) -> float:
    """Return how far a sentence stands by itself: above 0 if it opens sections rather than going on in them.

    `language` is ISO 639-1; in one without weights all sentences are taken to stand.
    """
    weights = _fitted().get(language, {})
    odds = sum(weights.get(feature, 0) for feature in features(words_of(sentence))) / 100
    return min(odds, LEANING) if Connectives.of(language).leaning.match(sentence) else odds


@lru_cache(maxsize=1)
def _fitted() -> Mapping[str, Mapping[str, int]]:
    """Read the weights of each language, in hundredths."""
    fitted: Mapping[str, Mapping[str, int]] = json.loads((files(__package__) / WEIGHTS).read_text("utf-8"))["weights"]
    return fitted
