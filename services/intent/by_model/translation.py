"""Check a language model's translation: it must be in the wanted language and keep names and numbers. Raises nothing.

A name is kept if the other text has a similar word (`Marte`, `Mars`) or the other language's word for it (`Alemania`,
`Germany`). A name without a counterpart was invented or lost. Numbers that name no source are chosen by hand.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from difflib import SequenceMatcher
from typing import Final

from libs.language.analysis import fold_word
from libs.language.detection import detect_language, reading_language
from libs.language.known import ENGLISH
from libs.text.names import find_names
from libs.text.tokens import content_stems, tokenize
from services.intent.by_model.exonyms import are_exonyms, translated_names

_ALIKE: Final = 0.6
"""Minimum similarity (letters in the same order) of two words that count as one name in two languages."""
_SAME_BEGINNING: Final = 3  # letters (taste)
_REPEATED: Final = 0.5
"""A `translation` that shares at least this fraction of its content words with the question only repeats it."""
_LONGEST: Final = 4
"""A translation is at most this many times as long as the question, plus one line of 80 characters."""


def target_of(question: str, languages: Sequence[str]) -> str:
    """The language of the collection that a question has to be in: its own if it is one, else that of most documents.

    Args:
        question: the standalone question.
        languages: those of the collection, that of most documents first; its own for none.
    """
    language = detect_language(question) or ENGLISH
    return language if language in languages or not languages else languages[0]


def is_foreign_to(languages: Sequence[str], question: str, model_language: str) -> bool:
    """Whether a question is in none of the collection's languages, as detected, else as the model says (ISO 639-1)."""
    detected, said = detect_language(question), model_language.strip().lower()
    language = detected or (said if len(tokenize(question)) > 1 else "")
    return bool(language and languages) and language not in languages


def is_repeated(question: str, translation: str) -> bool:
    """Whether a `translation` is only the question again, or a paraphrase in the same language."""
    language = reading_language(question, usual=ENGLISH)
    question_stems = set(content_stems(question, language))
    translation_stems = [stem for stem in content_stems(translation, language) if not stem[0].isdigit()]
    return bool(translation_stems) and sum(stem in question_stems for stem in translation_stems) >= _REPEATED * len(
        translation_stems
    )


def translation_fault(question: str, translation: str, target: str) -> str | None:
    """Return what is wrong with a translation, for the model to correct; None if it is acceptable."""
    if not translation.strip():
        return f"translation: the question is not in the language {target}, so it must be translated"
    if len(translation) > _LONGEST * len(question) + 80 or "\n" in translation.strip():
        return "translation: must be the question and nothing else"
    if detect_language(translation) not in (target, None):
        return f"translation: must be in the language {target}"
    if _numbers(question) != _numbers(translation):
        return "translation: must have the numbers of the question, and no others"
    changed = sorted(_changed_names(question, translation, target))
    return f"translation: these names are not the question's: {', '.join(changed)}" if changed else None


def _numbers(text: str) -> Counter[str]:
    return Counter(re.sub(r"(?<=\d)[.,](?=\d{3})", "", number) for number in re.findall(r"\d+(?:[.,]\d+)*", text))


def _changed_names(question: str, translation: str, target: str) -> Iterator[str]:
    """Yield names that only one text has; none if the scripts differ, because words cannot be compared then."""
    language = detect_language(question) or ""
    if not re.search(r"[A-Za-z]", question) or language in ("ru", "uk", "el", "ja", "zh", "ko", "ar", "he", "hi", "th"):
        return
    question_names, translation_names = translated_names(question, language, translation, target)
    yield from _without_counterpart(translation, question, translation_names, target)
    yield from _without_counterpart(question, translation, question_names, language)


def _without_counterpart(text: str, other: str, counterparts: Set[str], language: str) -> Iterator[str]:
    words = [part for token in tokenize(other) for part in re.split("['’]", token.text)]
    for name in _names(text, language):
        if fold_word(name) not in counterparts and not any(_are_similar(name, word) for word in words):
            yield name


def _names(text: str, language: str) -> Iterator[str]:
    """Yield the words of sure names, without numbers."""
    names = (name for name in find_names(text, language or ENGLISH) if name.is_sure)
    yield from (token.text for name in names for token in tokenize(name.text) if token.is_capitalised)


def _are_similar(word: str, other: str) -> bool:
    folded, other_folded = fold_word(word), fold_word(other)
    same_letters = word.isupper() and other.isupper() and sorted(folded) == sorted(other_folded)  # NATO, OTAN
    beginning = len(folded) >= _SAME_BEGINNING and folded[:_SAME_BEGINNING] == other_folded[:_SAME_BEGINNING]
    return (
        folded == other_folded
        or same_letters
        or beginning
        or are_exonyms(folded, other_folded)
        or SequenceMatcher(None, folded, other_folded).ratio() >= _ALIKE
    )
