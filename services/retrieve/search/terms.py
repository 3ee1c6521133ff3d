"""The terms of passages and of queries, the same for every engine."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from libs.documents.rendering import plain_words
from libs.language.analysis import terms_of, without_little_words
from libs.language.detection import detect_language
from libs.language.quantities import without_quantity_words
from services.retrieve.corpus.feed import TextPassage

MAX_LANGUAGES: Final = 3
"""Languages tried for a query whose own language cannot be detected: those of most documents in the collection."""

Terms = Callable[[str], Counter[str]]
"""Returns the terms of a query's words, with their counts."""


def indexed_terms(passage: TextPassage) -> list[str]:
    """The terms that a passage is indexed by: its place and its words, in its document's language."""
    return terms_of(f"{passage.place}\n{plain_words(passage.text)}", passage.language)


def query_terms(languages: Sequence[str]) -> Terms:
    """The analysis of queries in a collection of these languages, that of most documents first.

    A text is analyzed in its own language and in that of most documents, because a name has a stem in each. Terms that
    are the same in both count once. Stop words of either language are dropped, as are the words that ask for a number.
    """

    def terms(text: str) -> Counter[str]:
        counts: Counter[str] = Counter()
        text_languages = _languages_to_read(text, languages)
        for language in text_languages:
            others = frozenset(text_languages) - {language}
            content = without_little_words(without_quantity_words(text, language), others)
            counts |= Counter(terms_of(content, language))
        return counts

    return terms


def _languages_to_read(text: str, languages: Sequence[str]) -> tuple[str, ...]:
    if len(languages) < 2:
        return tuple(languages) or ("",)
    language = detect_language(text)
    if language is None or language not in languages:
        return tuple(languages[:MAX_LANGUAGES])
    return tuple(dict.fromkeys((languages[0], language)))
