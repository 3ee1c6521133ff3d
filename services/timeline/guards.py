"""Guards on a language model's description of an event: its date and its words must come from the sentence."""
# ruff: noqa: SIM905 - word lists are easier to read as plain text

import re
from collections.abc import Iterable, Sequence

from libs.chronology.days import Days, days_of, parse_partial_date
from libs.chronology.eventfulness import verbs_in
from libs.text.tokens import content_stems, is_third_person_pronoun, stem, words
from services.timeline.candidate_list import DatedEvent
from services.timeline.events import Event
from services.timeline.occasions import stems_near_date
from services.timeline.wording import as_event_text

_TURNING = frozenset(
    """
    no not never none neither nor without cannot may might could would should if unless reportedly allegedly apparently
    supposedly possibly probably perhaps likely almost nearly alleged claimed claims denied denies attempted attempts
    attempt tried failed fails fail believed said says thought suspected rumoured rumored partly
    """.split()
)
"""Words that negate or hedge a statement: omitting or adding one changes its meaning."""
_MONTH_OF_MAY = re.compile(r"\bMay\b")
_BINDING = frozenset(("is", "are", "was", "were", "be", "been", "being", "by", "to", "than", "from", "against"))
"""Words that determine who did what to whom: `was defeated by`."""
_ARTICLES = frozenset(("a", "an", "the"))
_SPANS = re.compile(r"\s*(?:/|–|\bto\b)\s*")


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
    """Read `2004-01/2004-03` as the range, then its beginning, `2018-09-xx` as a month; empty if invalid."""
    parts = [parse_partial_date(re.sub(r"-[xX?0]{2}", "", part)) for part in _SPANS.split(date.strip())[:2]]
    start, end = parts[0], parts[-1]
    if start is None:
        return []
    whole = [days_of(start, end)] if end and end >= start else []
    return [*whole, days_of(start)]


def checked_wording(text: str, event: Event, before: Iterable[str]) -> str:
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
    sentence, wording = event.dated_sentence.sentence.text, as_event_text(text)
    context_stems = _stems("\n".join((event.passage.title, *before))) if _leans(sentence) else []
    sentence_stems, wording_stems = _stems(sentence), _stems(wording)
    sentence_words, content = [word for word in wording_stems if word in sentence_stems], set(content_stems(wording))
    is_sound = (
        (event.happened or event.carried)
        and set(wording_stems) <= {*sentence_stems, *context_stems}
        and bool(content)
        and content <= {*_supporting(event), *context_stems}
        and turning_words(wording) == turning_words(sentence)
        and _is_part(sentence_words, _words(sentence))
    )
    return wording if is_sound else event.text


def turning_words(text: str) -> set[str]:
    """Return the words of a text that negate or hedge it: `not`, `wasn't`, `reportedly`, `said`."""
    text_words = words(_MONTH_OF_MAY.sub("", text))
    return {word for word in text_words if word in _TURNING or word.endswith("n't")}


def _words(text: str) -> list[str]:
    return [word for word in words(text) if word not in _ARTICLES]


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _words(text)]


def _leans(sentence: str) -> bool:
    return any(is_third_person_pronoun(word) for word in words(sentence))


def _supporting(event: Event) -> set[str]:
    """Return the stems of the sentence, or of the date's clause if there are several dates."""
    if len(event.dated_sentence.mentions) > 1 and not event.carried:
        return set(stems_near_date(event.dated_sentence, event.occasion))
    return set(content_stems(event.dated_sentence.sentence.text))


def _is_part(stems: Sequence[str], sentence: Sequence[str]) -> bool:
    """Whether the stems occur in the sentence in this order, with no verb or binding word omitted between them."""
    omissions, sentence_stems, start = list[str](), [stem(word) for word in sentence], 0
    for position, target in enumerate(stems):
        if target not in sentence_stems[start:]:
            return False
        index = sentence_stems.index(target, start)
        omissions += sentence[start:index] if position else []
        start = index + 1
    return bool(stems) and _BINDING.isdisjoint(omissions) and not verbs_in(" ".join(omissions))
