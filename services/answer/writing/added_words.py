"""Checks whether the passages have the words that a sentence adds to the question.

The claim check covers numbers, dates, names, denials and the share of supported words. A short sentence that names the
subject and adds something new (`The harbour has sunk`) shares most of its words with any passage about that subject.
So its other words must be in the passages too.
"""

from collections.abc import Iterable

from libs.text.dates import find_dates
from libs.text.numbers import find_numbers
from services.answer.lexicon.related_words import has_related
from services.answer.lexicon.words import stems_of

ENOUGH_TOLD = 3
"""With this many new words in the passages, the claim check suffices; it fails on short sentences only. This rule
rejects 8 % of the sentences in MTRAG's reference answers, most of them about the documents."""


def unsupported_words(
    sentence: str, question_stems: frozenset[str], passage_stems: Iterable[frozenset[str]], language: str
) -> tuple[str, ...]:
    """Return the words that no passage has if they are half of a short sentence's new words; else an empty tuple.

    A number or date is a sufficient anchor: whether it is correct is checked elsewhere.

    Args:
        sentence: without markers.
        question_stems: the stems of the question and of the passages' subject.
        passage_stems: the stems of each passage; iteration stops once all words are found.
        language: of the sentence and the passages, ISO 639-1.
    """
    if find_numbers(sentence, language) or find_dates(sentence, language=language):
        return ()
    news = [stem for stem in dict.fromkeys(stems_of(sentence, language)) if stem not in question_stems]
    missing = news
    for stems in passage_stems:
        missing = [stem for stem in missing if stem not in stems and not has_related(stem, stems, language)]
        if not missing:
            return ()
    known_count = len(news) - len(missing)
    return tuple(missing) if known_count < min(ENOUGH_TOLD, len(missing) + 1) else ()


def stems_in(texts: Iterable[str], language: str) -> frozenset[str]:
    """Return all stems of some texts."""
    return frozenset(stem for text in texts for stem in stems_of(text, language))
