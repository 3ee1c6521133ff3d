"""Highlights: the few events that the question is about, and the words to highlight in them. Pure functions."""

from collections.abc import Sequence

from libs.contracts.spans import Span
from libs.text.dates.document_dates import find_dates
from libs.text.tokens import content_stems, tokenize
from services.timeline.events import EventCandidate
from services.timeline.relevance import Query
from services.timeline.timeline_words import of_one_family

_FEWEST, _SHARE = 3, 0.2
"""Number of events to highlight: a fifth, at least three (by hand)."""
_LEAST = 0.75
"""Minimum share of the best relevance (by hand)."""


def highlight(query: Query, events: Sequence[EventCandidate]) -> list[tuple[Span, ...]]:
    """Return the spans to highlight in each event's text; empty for most events."""
    if not query.weights or not events:
        return [()] * len(events)
    best = max(event.relevance for event in events)
    by_score = sorted(range(len(events)), key=lambda position: -events[position].score)
    candidates = by_score[: max(_FEWEST, int(_SHARE * len(events)))]
    selection = {position for position in candidates if events[position].relevance >= _LEAST * best > 0}
    return [words_of(query, event.text) if position in selection else () for position, event in enumerate(events)]


def words_of(query: Query, text: str) -> tuple[Span, ...]:
    """Return the spans of the question's words and related words in a text; neighbours are joined.

    Words of a date are included only if there are no others, since the date is shown next to the text anyway.
    """
    question_tokens = [token for token in tokenize(text) if _is_question_word(query, token.text)]
    dates = [Span(mention.start, mention.end) for mention in find_dates(text, language=query.language)]
    outside_dates = [
        token for token in question_tokens if not any(date.start <= token.start < date.end for date in dates)
    ]
    spans: list[Span] = []
    for token in outside_dates or question_tokens:
        if spans and not text[spans[-1].end : token.start].strip():
            spans[-1] = Span(spans[-1].start, token.end)
        else:
            spans.append(Span(token.start, token.end))
    return tuple(spans)


def _is_question_word(query: Query, word: str) -> bool:
    return any(
        stem == question_stem or of_one_family(stem, question_stem, query.language)
        for stem in content_stems(word, query.language)
        for question_stem in query.weights
    )
