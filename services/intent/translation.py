"""Whether what a language model gives as a translation is one: in the wanted language, with the names and numbers kept.

A name counts as kept where a word like it stands on the other side (`Marte`, `Mars`), or the other language's own word
for it (`Alemania`, `Germany`). A name that has no such counterpart was invented, or lost.
"""

import re
from collections import Counter
from collections.abc import Iterator, Set
from difflib import SequenceMatcher
from typing import Final

from libs.language.detection import detect_language
from libs.language.known import language_of
from libs.text.fold import fold
from libs.text.tokens import Token, content_stems, is_stop_word, tokenize
from services.intent.exonyms import are_exonyms, translated_names

_ALIKE: Final = 0.6
"""Least share of letters in the same order of two words that are taken for one name in two languages."""
_SAME_BEGINNING: Final = 3
_REPEATED: Final = 0.5
"""From this share of its content words on, a `translation` only repeats the question."""
_LONGEST: Final = 4
"""A translation is at most so many times as long as the question, and a line more."""
_BEGINNING = re.compile(r"(?:\A|[.?!:¿¡«\"“]\s*)\Z")


def is_wanted(question: str, told_language: str, into: str) -> bool:
    """Whether a question has to be translated: its words say so, or leave it open where the model says so.

    Args:
        question: as it stands alone.
        told_language: what the model takes for its language, ISO 639-1.
        into: the collection's language.
    """
    language = detect_language(question)
    return language != into if language else told_language not in ("", into) and len(tokenize(question)) > 1


def is_repeated(question: str, translation: str) -> bool:
    """Whether a `translation` is the question again, or another wording of it in the same language."""
    own = set(content_stems(question))
    given = [stem for stem in content_stems(translation) if not stem[0].isdigit()]
    return bool(given) and sum(stem in own for stem in given) >= _REPEATED * len(given)


def translation_fault(question: str, translation: str, into: str) -> str | None:
    """What is wrong with a translation, for the model to mend; None where it can be taken."""
    if not translation.strip():
        return f"translation: the question is not in the language {into}, so it must be translated"
    if len(translation) > _LONGEST * len(question) + 80 or "\n" in translation.strip():
        return "translation: must be the question and nothing else"
    if detect_language(translation) not in (into, None):
        return f"translation: must be in the language {into}"
    if _numbers(question) != _numbers(translation):
        return "translation: must have the numbers of the question, and no others"
    changed = sorted(_changed_names(question, translation, into))
    return f"translation: these names are not the question's: {', '.join(changed)}" if changed else None


def _numbers(text: str) -> Counter[str]:
    return Counter(re.sub(r"(?<=\d)[.,](?=\d{3})", "", number) for number in re.findall(r"\d+(?:[.,]\d+)*", text))


def _changed_names(question: str, translation: str, into: str) -> Iterator[str]:
    """Names that only one side has; none where the scripts differ, for then words can't be compared."""
    language = detect_language(question) or ""
    if not re.search(r"[A-Za-z]", question) or language in ("ru", "uk", "el", "ja", "zh", "ko", "ar", "he", "hi", "th"):
        return
    ours, theirs = translated_names(question, language, translation, into)
    yield from _without_counterpart(translation, question, theirs, into)
    yield from _without_counterpart(question, translation, ours, language)


def _without_counterpart(text: str, other: str, known: Set[str], language: str) -> Iterator[str]:
    words = [part for token in tokenize(other) for part in re.split("['’]", token.text)]
    for name in _names(text, language):
        if fold(name) not in known and not any(_are_alike(name, word) for word in words):
            yield name


def _names(text: str, language: str) -> Iterator[str]:
    """Capitalised words within a sentence; where all nouns are, only those with further capitals or before a number."""
    tokens = tokenize(text)
    for position, token in enumerate(tokens):
        if not token.is_capitalised or is_stop_word(token.text) or _BEGINNING.search(text, 0, token.start):
            continue
        if not language_of(language).capitalises_nouns or _is_surely_a_name(tokens, position):
            yield token.text.removesuffix("'s").removesuffix("’s")


def _is_surely_a_name(tokens: tuple[Token, ...], position: int) -> bool:
    following = tokens[position + 1] if position + 1 < len(tokens) else None
    return any(c.isupper() for c in tokens[position].text[1:]) or (following is not None and following.is_number)


def _are_alike(one: str, other: str) -> bool:
    a, b = fold(one), fold(other)
    same_letters = one.isupper() and other.isupper() and sorted(a) == sorted(b)  # NATO, OTAN
    beginning = len(a) >= _SAME_BEGINNING and a[:_SAME_BEGINNING] == b[:_SAME_BEGINNING]
    return a == b or same_letters or beginning or are_exonyms(a, b) or SequenceMatcher(None, a, b).ratio() >= _ALIKE
