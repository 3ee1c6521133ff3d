"""Whether a sentence's news is told anywhere: the words by which it says more than the question asks.

The check of claims looks at numbers, dates, names, denials, and how many words are borne out. A short sentence that
only names what was asked about, and says something new of it (`The harbour has sunk`), shares most of its words with
any passage about it. So its other words have to be found somewhere, too.
"""

from collections.abc import Iterable

from libs.text.dates import find_dates
from libs.text.numbers import find_numbers
from services.answer.lexicon.related_words import has_related
from services.answer.lexicon.words import stems_of

ENOUGH_TOLD = 3
"""So many new words in the passages, and the check of claims has enough to go by; it is the short sentences that fool
it. Of MTRAG's reference answers 8 % of the sentences are untold by this, most of them about the documents."""


def untold_news(sentence: str, asked: frozenset[str], told: Iterable[frozenset[str]]) -> tuple[str, ...]:
    """The words that no passage has, where they are half of what a short sentence says; () where it may be borne out.

    A number or date anchors a sentence well enough by itself: whether it holds is checked word by word elsewhere.

    Args:
        sentence: without markers.
        asked: the stems of the question and of what the passages are about.
        told: the stems of each of the passages; no more of them are asked for once all is told.
    """
    if find_numbers(sentence) or find_dates(sentence):
        return ()
    news = [stem for stem in dict.fromkeys(stems_of(sentence)) if stem not in asked]
    untold = news
    for stems in told:
        untold = [stem for stem in untold if stem not in stems and not has_related(stem, stems)]
        if not untold:
            return ()
    told_news = len(news) - len(untold)
    return tuple(untold) if told_news < min(ENOUGH_TOLD, len(untold) + 1) else ()


def stems_in(texts: Iterable[str]) -> frozenset[str]:
    """All stems of some texts."""
    return frozenset(stem for text in texts for stem in stems_of(text))
