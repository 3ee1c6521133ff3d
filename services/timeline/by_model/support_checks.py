"""Checks on a language model's description of an event: its date and words must come from the sentence. Pure."""

import re
from collections.abc import Iterable, Sequence

from libs.chronology.days import Days, days_of, parse_partial_date
from libs.chronology.eventfulness import verbs_in
from libs.language.topics.grammar import Grammar
from libs.language.topics.timelines import TimelineWords
from libs.text.tokens import content_stems, stem, tokenize, words
from services.timeline.by_model.candidate_list import DatedEvent
from services.timeline.extraction.event_extraction import stems_near_date
from services.timeline.extraction.event_text import as_event_text
from services.timeline.extraction.events import EventCandidate

_SPANS = re.compile(r"\s*(?:/|–)\s*")


def event_of_date(date: str, dated_events: Sequence[DatedEvent]) -> DatedEvent | None:
    """Return the rule-based event with the date that the model gives, or None if it is ambiguous.

    A date less precise than the sentence's is replaced by the sentence's. If the end of a range is not in the
    sentences, only its beginning is used. A date that the sentences do not support is replaced by theirs if they have
    only one.
    """
    for days in _readings(date):
        matches = [dated_event for dated_event in dated_events if dated_event.event.days == days] or [
            dated_event for dated_event in dated_events if dated_event.event.days in days
        ]
        if len(matches) == 1:
            return matches[0]
    return dated_events[0] if len(dated_events) == 1 else None


def _readings(date: str) -> list[Days]:
    """Read `2004-01/2004-03` as the range, then its beginning, `2018-09-xx` (or `-00`) as a month; empty if invalid."""
    parts = [parse_partial_date(re.sub(r"-[xX?0]{2}", "", part)) for part in _SPANS.split(date.strip())[:2]]
    start, end = parts[0], parts[-1]
    if start is None:
        return []
    whole = [days_of(start, end)] if end and end >= start else []
    return [*whole, days_of(start)]


def checked_wording(text: str, event: EventCandidate, before: Iterable[str]) -> str:
    """Return the model's text for an event if the sentence supports it, else the sentence's own text.

    The text is supported if it is a shortened form of the sentence: all words except articles occur in it in the same
    order. If the sentence has several dates, the content words come from the clause of this date. No verb, `by` or `to`
    is omitted between the words, so that no action is attributed to the wrong party. Negating and hedging words are all
    kept. If the sentence contains `it` or `they`, words of the document's title and of the sentences before it may be
    used.

    Args:
        text: the model's text.
        event: the event by rules.
        before: the sentences that lead to the event's sentence.
    """
    sentence, wording = event.dated_sentence.sentence.text, as_event_text(text, event.dated_sentence.language)
    language = event.dated_sentence.language
    leans = not Grammar.of(language).third_person_pronouns.isdisjoint(words(sentence, language))
    context_stems = _stems("\n".join((event.passage.title, *before)), language) if leans else []
    sentence_stems, wording_stems = _stems(sentence, language), _stems(wording, language)
    sentence_words = [word for word in wording_stems if word in sentence_stems]
    content = set(content_stems(wording, language))
    is_sound = (
        (event.happened or event.carried)
        and set(wording_stems) <= {*sentence_stems, *context_stems}
        and bool(content)
        and content <= {*_supporting(event), *context_stems}
        and turning_words(wording, language) == turning_words(sentence, language)
        and _is_part(sentence_words, _words(sentence, language), language)
    )
    return wording if is_sound else event.text


def turning_words(text: str, language: str) -> set[str]:
    """Return the words of a text that negate or hedge it: `not`, `wasn't`, `reportedly`, `said`."""
    hedges = TimelineWords.of(language)
    tokens = (token for token in tokenize(text) if token.text not in hedges.never_turning)
    text_words = (word for token in tokens for word in words(token.text, language))
    return {word for word in text_words if word in hedges.turning or word.endswith(hedges.turning_endings)}


def _words(text: str, language: str) -> list[str]:
    articles = Grammar.of(language).articles
    return [word for word in words(text, language) if word not in articles]


def _stems(text: str, language: str) -> list[str]:
    return [stem(word, language) for word in _words(text, language)]


def _supporting(event: EventCandidate) -> set[str]:
    """Return the stems of the sentence, or of the date's clause if there are several dates."""
    if len(event.dated_sentence.mentions) > 1 and not event.carried:
        return set(stems_near_date(event.dated_sentence, event.clause_event))
    return set(content_stems(event.dated_sentence.sentence.text, event.dated_sentence.language))


def _is_part(stems: Sequence[str], sentence: Sequence[str], language: str) -> bool:
    """Whether the stems occur in the sentence in this order, with no verb or binding word omitted between them."""
    omissions, sentence_stems, start = list[str](), [stem(word, language) for word in sentence], 0
    for position, target in enumerate(stems):
        if target not in sentence_stems[start:]:
            return False
        index = sentence_stems.index(target, start)
        omissions += sentence[start:index] if position else []
        start = index + 1
    binding = TimelineWords.of(language).binding
    return bool(stems) and binding.isdisjoint(omissions) and not verbs_in(" ".join(omissions), language)
