"""Scores how likely a dated sentence describes an event, by its past-tense verbs. Scores and lengths: by hand."""

import re

from libs.contracts.dates import Precision
from libs.language.topics.grammar import EventVerbs
from libs.text.memoize import memoized

_WORD = re.compile(r"(?:(?![A-ZÀ-ÖØ-Þ])[^\W\d_]|[’'])+")
"""A run of lower-case letters."""
_LIST_ITEM = re.compile(
    r"[^\w]*(?:(?:\d{1,2}\.?\s+)?(?:[A-Z][^\W\d_]{2,8}\s+)?(?:\d{1,2},\s+)?\d{4}|\d{4}-\d\d-\d\d)\s*[:–—-]\s"
)
_LETTERS = re.compile(r"[a-z]{3}")

_BY_PRECISION = {
    Precision.DAY: 1.0,
    Precision.MONTH: 0.85,
    Precision.SEASON: 0.75,
    Precision.YEAR: 0.7,
    Precision.DECADE: 0.4,
    Precision.CENTURY: 0.3,
}


@memoized(texts=2048, longest=1000)  # taste
def verbs_in(sentence: str, language: str) -> tuple[str, ...]:
    """The past-tense verbs of a sentence that indicate an event, as written; only lower-case words are found."""
    verbs = EventVerbs.of(language)
    return tuple(word for word in _WORD.findall(sentence) if word in verbs.irregular or _is_regular(word, verbs))


def knows_verbs(language: str) -> bool:
    """Whether verbs of the language are known; ISO 639-1."""
    return bool(EventVerbs.of(language).irregular)


def _is_regular(word: str, verbs: EventVerbs) -> bool:
    return verbs.regular.fullmatch(word) is not None and word not in verbs.no_verbs


def eventfulness(sentence: str, precision: Precision, is_item: bool = False, *, language: str) -> float:
    """How likely a dated sentence describes an event, in (0, 1]; exact dates score higher than vague ones.

    A list item below a date (`is_item`, or `1969: Apollo 11 lands`) counts as an event even without such a verb. So
    does a sentence without Latin letters, or in a language whose verbs are not known.
    """
    if sentence.rstrip().endswith("?"):
        return 0.1
    count = len(verbs_in(sentence, language))
    has_known_verbs = knows_verbs(language) and _LETTERS.search(sentence)
    if not count and (is_item or not has_known_verbs or _LIST_ITEM.match(sentence)):
        count = 1
    return _BY_PRECISION[precision] * (0.4, 0.9, 1.0)[min(count, 2)]
