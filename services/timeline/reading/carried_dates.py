"""Carried dates: which sentences take their date from earlier text.

Below a heading that is a date, these are list items and sentences that describe an event. News mention a date once, and
the following events happened on it: on the day mentioned last if that was shortly before the report, else on the
report's own day. Pure functions. TimeSET is a benchmark of timelines.
"""

import re
from collections.abc import Sequence
from typing import Final

from libs.chronology.eventfulness import knows_verbs, verbs_in
from libs.chronology.roles import is_told, plans
from libs.contracts.dates import PartialDate
from libs.language.topics.grammar import EventVerbs
from libs.text.dates.document_dates import DateMention
from libs.text.tokens import content_stems

_CARRIED_OVER: Final = 40
"""Maximum days before a report for a date in it to be carried to later sentences (TimeSET: 3 is worse, 20 alike)."""
_SPOKEN: Final = re.compile(r"\s*[\"“‘']|[^\"“”]*[\"“][^\"“”]*\Z|[^\"“”]*”")
"""Direct speech: a sentence that begins with a quotation or contains one half of it."""
_FEWEST_WORDS: Final = 2
"""Minimum content words of an event; anything shorter is a number or a mark (taste)."""


def dates_sentence_below(sentence: str, opens_item: bool, language: str) -> bool:
    """Whether a sentence below a dated heading describes an event on that date.

    Args:
        sentence: the sentence.
        opens_item: whether it begins a list item; later sentences of the item explain it.
        language: ISO 639-1; if its verbs are not known, any sentence counts.
    """
    if sentence.rstrip().endswith("?") or len(content_stems(sentence, language)) < _FEWEST_WORDS:
        return False
    return opens_item or not knows_verbs(language) or bool(verbs_in(sentence, language))


def continues_previous(sentence: str, language: str) -> bool:
    """Whether the report itself describes an event in it that is not earlier than the previous one.

    What `has closed` is news, what `had closed` is not (TimeSET, pairs in order: .41 with it, .35 without).
    """
    past_perfect = EventVerbs.of(language).past_perfect
    is_spoken = _SPOKEN.match(sentence) or sentence.rstrip().endswith("?")
    return bool(verbs_in(sentence, language)) and not (
        is_spoken or past_perfect.search(sentence) or plans(sentence, language)
    )


def day_to_carry(
    day: PartialDate, document: PartialDate, sentence: str, mentions: Sequence[DateMention], language: str
) -> PartialDate:
    """Return the day to carry to later sentences: the last one mentioned shortly before the report, else `day`.

    Days inside quotations are ignored.
    """
    days = [
        mention.first
        for mention in mentions
        if mention.first.day and is_told(sentence, mention, language) and is_open(sentence, mention.start)
    ]
    recent = [date for date in days if 0 <= (document.first_day - date.first_day).days <= _CARRIED_OVER]
    return recent[-1] if recent else day


def is_open(sentence: str, position: int) -> bool:
    """Whether a position is outside brackets and quotations."""
    before = sentence[:position]
    in_quotation = before.count('"') % 2 == 1 or before.count("“") > before.count("”")
    return not in_quotation and before.count("(") <= before.count(")") and before.count("[") <= before.count("]")
