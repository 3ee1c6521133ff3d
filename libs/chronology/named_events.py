"""The date of a named event: what the sentences of a conversation or corpus that name it agree on. Pure.

Only the month or year counts if their days or months differ; there is none if two years tie. Sentences that also have
the word for its kind take precedence: for `Apollo 11 landing` those about the landing, since others tell other days.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from libs.contracts.dates import PartialDate
from libs.contracts.understanding import RelatedEvent
from libs.language.topics.names import NamedEvents
from libs.text.dates.document_dates import find_dates
from libs.text.sentences import split_sentences
from libs.text.tokens import content_stems, stem

_MAX_SENTENCES: Final = 20  # that are read (taste)


def dated(event: RelatedEvent, texts: Sequence[str], language: str) -> RelatedEvent:
    """Return an event with its date; as it is if it has one, or the texts agree on none.

    Args:
        event: the event.
        texts: those that may name it, best first.
        language: ISO 639-1.
    """
    return event if event.date else replace(event, date=date_of_event(event.name, texts, language))


def date_of_event(name: str, texts: Sequence[str], language: str) -> PartialDate | None:
    """Return the date that the sentences which name an event agree on; None if they agree on no year."""
    words = NamedEvents.of(language)
    core, kind = _parts(name, words)
    sentences = list(islice(_sentences_with(core, texts, language), _MAX_SENTENCES))
    of_kind = [sentence for sentence in sentences if kind and stem(kind, language) in content_stems(sentence, language)]
    dates = list(_single_dates(of_kind, core, language))
    if not dates:
        dates = list(_single_dates(sentences, core, language))
        if kind or words.numbered.fullmatch(core):  # it may be another day of the same event
            dates = [PartialDate(date.year, date.month) for date in dates]
    if year := words.year.search(name):
        number = int(year["year"])
        dates = [date for date in dates if date.year == number] or [PartialDate(number)]
    return _agreed_date(dates)


def _parts(name: str, words: NamedEvents) -> tuple[str, str]:
    """The words that sentences about an event have, and its kind, which they may leave out: `Apollo 11`, `landing`."""
    is_whole = words.event.fullmatch(name) or words.dated.fullmatch(name)
    match = None if is_whole else words.named.fullmatch(name)
    return (match["name"], match["kind"]) if match else (name, "")


def _sentences_with(core: str, texts: Sequence[str], language: str) -> Iterator[str]:
    for text in texts:
        if core in text:
            sentences = (sentence.text for sentence in split_sentences(text, language))
            yield from (sentence for sentence in sentences if core in sentence and not sentence.endswith("?"))


def _single_dates(sentences: Sequence[str], core: str, language: str) -> Iterator[PartialDate]:
    """Yield the date of each sentence that has exactly one, apart from the year in the event's name."""
    for sentence in sentences:
        mentions = find_dates(sentence.replace(core, ","), language=language)
        if len(mentions) == 1 and mentions[0].first == mentions[0].last and not mentions[0].part:
            yield mentions[0].first


def _agreed_date(dates: Sequence[PartialDate]) -> PartialDate | None:
    """Return the most frequent year, with month and day if they are unambiguous; None if years tie or none is given."""
    years = Counter(date.year for date in dates).most_common(2)
    if not years or (len(years) > 1 and years[0][1] == years[1][1]):
        return None
    of_year = [date for date in dates if date.year == years[0][0]]
    months = {date.month for date in of_year if date.month}
    if len(months) != 1:
        return PartialDate(years[0][0])
    days = {date.day for date in of_year if date.day}
    return PartialDate(years[0][0], months.pop(), days.pop() if len(days) == 1 else 0)
