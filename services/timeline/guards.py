"""Guards on what a language model writes about an event: its date must be the sentence's, and so must its words."""
# ruff: noqa: SIM905 - a list of words reads best as words

import re
from collections.abc import Iterable, Sequence

from libs.chronology.days import Days, days_of, parse_partial_date
from libs.chronology.eventfulness import verbs_in
from libs.text.tokens import content_stems, is_third_person_pronoun, stem, words
from services.timeline.candidate_list import DatedEvent
from services.timeline.events import Event
from services.timeline.occasions import words_beside
from services.timeline.wording import as_event_text

_TURNING = frozenset(
    """
    no not never none neither nor without cannot may might could would should if unless reportedly allegedly apparently
    supposedly possibly probably perhaps likely almost nearly alleged claimed claims denied denies attempted attempts
    attempt tried failed fails fail believed said says thought suspected rumoured rumored partly
    """.split()
)
"""Words that turn what a sentence tells or leave it open: to leave one out or to add one tells something else."""
_MONTH_OF_MAY = re.compile(r"\bMay\b")
_BINDING = frozenset(("is", "are", "was", "were", "be", "been", "being", "by", "to", "than", "from", "against"))
"""Words that say who did it and to whom: `was defeated by`."""
_ARTICLES = frozenset(("a", "an", "the"))
_SPANS = re.compile(r"\s*(?:/|–|\bto\b)\s*")


def date_told(date: str, dated: Sequence[DatedEvent]) -> DatedEvent | None:
    """Which of the events by rules has the date that the model gives; None when there is no telling.

    A date that is less exact than the sentence's is made exact by it; of a range whose end nobody tells the beginning
    is left. A date that the sentences don't bear out is replaced by theirs where they have only one.
    """
    for days in _readings(date):
        fitting = [told for told in dated if told.event.days == days] or [
            told for told in dated if told.event.days in days
        ]
        if len(fitting) == 1:
            return fitting[0]
    return dated[0] if len(dated) == 1 else None


def _readings(date: str) -> list[Days]:
    """`2004-01/2004-03`: the range, then its beginning; `2018-09-xx` is a month. Nothing for what is no date."""
    parts = [parse_partial_date(re.sub(r"-[xX?0]{2}", "", part)) for part in _SPANS.split(date.strip())[:2]]
    start, end = parts[0], parts[-1]
    if start is None:
        return []
    whole = [days_of(start, end)] if end and end >= start else []
    return [*whole, days_of(start)]


def worded(text: str, event: Event, before: Iterable[str]) -> str:
    """The model's words for an event where the sentence bears them out, else the sentence's own.

    Borne out means that it is the sentence, shortened: all words stand in it, in its order, articles apart; of several
    dates, what carries content stands in this one's clause; no verb, `by` or `to` is left out in between, so that
    nobody does what another did; no word is lost that denies what is told or leaves it open. Where the sentence says
    `it` or `they`, words of the document's title and of the sentences that lead to it may stand for that.

    Args:
        text: the model's words.
        event: the event by rules.
        before: sentences that lead to the event's.
    """
    sentence, shortened = event.dated.sentence.text, as_event_text(text)
    lent = _stems("\n".join((event.passage.title, *before))) if _leans(sentence) else []
    own, told = _stems(sentence), _stems(shortened)
    kept, content = [word for word in told if word in own], set(content_stems(shortened))
    is_sound = (
        (event.happened or event.carried)
        and set(told) <= {*own, *lent}
        and bool(content)
        and content <= {*_supporting(event), *lent}
        and turning_words(shortened) == turning_words(sentence)
        and _is_part(kept, _words(sentence))
    )
    return shortened if is_sound else event.text


def turning_words(text: str) -> set[str]:
    """The words of a text that deny what it tells or leave it open: `not`, `wasn't`, `reportedly`, `said`."""
    said = words(_MONTH_OF_MAY.sub("", text))
    return {word for word in said if word in _TURNING or word.endswith("n't")}


def _words(text: str) -> list[str]:
    return [word for word in words(text) if word not in _ARTICLES]


def _stems(text: str) -> list[str]:
    return [stem(word) for word in _words(text)]


def _leans(sentence: str) -> bool:
    return any(is_third_person_pronoun(word) for word in words(sentence))


def _supporting(event: Event) -> set[str]:
    """The stems of the sentence, or of the date's clause when there are several dates."""
    if len(event.dated.mentions) > 1 and not event.carried:
        return set(words_beside(event.dated, event.occasion))
    return set(content_stems(event.dated.sentence.text))


def _is_part(stems: Sequence[str], sentence: Sequence[str]) -> bool:
    """Whether the words stand in the sentence in this order, with nothing between them left out that binds them."""
    left_out, places, start = list[str](), [stem(word) for word in sentence], 0
    for position, wanted in enumerate(stems):
        if wanted not in places[start:]:
            return False
        found = places.index(wanted, start)
        left_out += sentence[start:found] if position else []
        start = found + 1
    return bool(stems) and _BINDING.isdisjoint(left_out) and not verbs_in(" ".join(left_out))
