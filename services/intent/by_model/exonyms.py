"""Exonyms: names that differ between languages, such as countries, months, days and common parts of names.

Countries, months and days come from Unicode's CLDR (through Babel). The rest is a short table for translations between
English, Spanish, French, German, Italian, Portuguese and Dutch, read from its file on first use.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

from libs.language.analysis import fold_word

_PARTS_OF_NAMES: Final = Path(__file__).with_suffix(".txt")
"""A part of names in several languages on each line, folded."""


def are_exonyms(word: str, other: str) -> bool:
    """Whether two words may be the same part of a name in two languages (`Moon`, `Luna`)."""
    groups = _groups_of()
    return not groups.get(fold_word(word), frozenset()).isdisjoint(groups.get(fold_word(other), frozenset()))


def translated_names(
    question: str, language: str, translation: str, target: str
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of the question and of its translation that name the same country, month or day; folded."""
    question_text, translation_text = f" {_fold_to_words(question)} ", f" {_fold_to_words(translation)} "
    pairs = [
        (name, other) for name, other in _names(language, target) if name in question_text and other in translation_text
    ]
    question_words = frozenset(word for name, _ in pairs for word in name.split())
    translation_words = frozenset(word for _, other in pairs for word in other.split())
    return question_words, translation_words


def _fold_to_words(text: str) -> str:
    return " ".join("".join(character if character.isalnum() else " " for character in fold_word(text)).split())


@lru_cache(maxsize=1)
def _groups_of() -> dict[str, frozenset[int]]:
    groups: dict[str, frozenset[int]] = {}
    for number, line in enumerate(_PARTS_OF_NAMES.read_text(encoding="utf-8").splitlines()):
        for word in line.split():
            groups[word] = groups.get(word, frozenset()) | {number}
    return groups


@lru_cache(maxsize=32)  # taste
def _names(language: str, target: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of names in both languages, padded with spaces; none for a language that CLDR does not have."""
    # Imported lazily: the import takes 50 ms, and most questions need no translation.
    from babel import Locale, UnknownLocaleError

    try:
        source_locale, target_locale = Locale.parse(language), Locale.parse(target)
    except (UnknownLocaleError, ValueError):
        return ()
    pairs = [(name, target_locale.territories.get(code)) for code, name in source_locale.territories.items()]
    for kind in ("months", "days"):
        source_names, target_names = (
            getattr(source_locale, kind)["format"]["wide"],
            getattr(target_locale, kind)["format"]["wide"],
        )
        pairs += [(name, target_names.get(number)) for number, name in source_names.items()]
    return tuple((f" {_fold_to_words(name)} ", f" {_fold_to_words(other)} ") for name, other in pairs if other)
