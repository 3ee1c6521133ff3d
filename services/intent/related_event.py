"""The named event that a question is about, with its date from history or probe (what a shallow search found).

A name counts as an event if its words say so (`Apollo 11 landing`, `Battle of Hastings`, `Hurricane Katrina`,
`the 2008 financial crisis`), or if history or probe call it one (`the Apollo 11 mission`). Its date is what the
sentences that name it agree on: only the month or year if their days or months differ, none if two years tie.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.dates import PartialDate
from libs.contracts.understanding import RelatedEvent
from libs.language.topics.names import NamedEvents
from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.sentences import split_sentences
from libs.text.tokens import content_stems, stem

_MAX_SENTENCES: Final = 20  # that are read (taste)
_REACH: Final = 80
"""Characters before a name that are searched for a noun of events (taste)."""
_LAST_WORD: Final = re.compile(r"[^\W_][\w’']*")


def find_related_event(
    question: str, history: Sequence[str], probe_texts: Sequence[str], language: str
) -> RelatedEvent | None:
    """Return the event that a question names, or None.

    Args:
        question: the standalone question.
        history: the earlier messages, oldest first.
        probe_texts: texts of a probe, best first.
        language: of the question, ISO 639-1.
    """
    reader = _EventReader((*reversed(history), *probe_texts), language)
    event = reader.event_in(question)
    if event is None:
        return None
    name, core = event
    return RelatedEvent(name, reader.date_of(core, name))


def is_mentioned(name: str, texts: Sequence[str], language: str) -> bool:
    """Whether one of the texts has all content words of an event's name."""
    name_stems = set(content_stems(name, language))
    return bool(name_stems) and any(name_stems <= set(content_stems(text, language)) for text in texts)


def event_of(name: str, texts: Sequence[str], language: str, model_date: str = "") -> RelatedEvent:
    """Return an event that a model named, dated from the texts.

    Args:
        name: the name that the model gave.
        texts: history and probe, newest and best first.
        language: of the question, ISO 639-1.
        model_date: the model's date, ISO 8601 of any precision; used only if the texts agree on no other date and one
            sentence has it.
    """
    reader = _EventReader(texts, language)
    event = reader.event_in(name)
    core = event[1] if event else name
    return RelatedEvent(name, reader.date_of(core, name) or reader.confirm_date(core, model_date))


@dataclass(frozen=True, slots=True)
class _EventReader:
    """Finds an event's name, and its date in the texts."""

    texts: Sequence[str]
    """Newest and best first."""
    language: str

    @property
    def words(self) -> NamedEvents:
        """The language's words."""
        return NamedEvents.of(self.language)

    def event_in(self, question: str) -> tuple[str, str] | None:
        """Return the event's name, and the words that sentences about it contain; None if the question names none."""
        for pattern in (self.words.event, self.words.dated):
            if match := pattern.search(question):
                name = self._without_leading(match["name"])
                return name, name
        for match in self.words.named.finditer(question):
            core = self._without_leading(f"{match['name']} ").strip()
            leading = match["name"].removesuffix(core)
            acts = self.words.no_name_after.search(question, 0, match.start()) or self.words.acting.search(leading)
            if core and not core.isdigit() and not acts:
                joint = question[match.end("name") : match.start("kind")]
                return f"{core}{' ' if joint.isspace() else joint}{match['kind']}", core
        for match in self.words.numbered.finditer(question):
            core = self._without_leading(match[0])
            if self._is_event_name(core):
                return core, core
        return None

    def date_of(self, core: str, name: str) -> PartialDate | None:
        """Return the date that sentences naming the event agree on; those that mention its kind take precedence."""
        year, language = self.words.year.search(name), self.language
        kind = stem(_LAST_WORD.findall(name.removeprefix(core))[-1], language) if name != core else ""
        sentences = list(self._sentences_with(core))
        kind_sentences = [
            s for s in sentences if kind and kind in {stem(word, language) for word in re.findall(r"\w+", s)}
        ]
        dates = [date for sentence in kind_sentences for date in self._single_date(sentence, core)]
        if not dates:
            dates = [date for sentence in sentences for date in self._single_date(sentence, core)]
            if kind or self.words.numbered.fullmatch(core):  # it may be another day of the same event
                dates = [PartialDate(date.year, date.month) for date in dates]
        if year:
            number = int(year["year"])
            dates = [date for date in dates if date.year == number] or [PartialDate(number)]
        return _agreed_date(dates)

    def confirm_date(self, core: str, date_text: str) -> PartialDate | None:
        """Return a model's date, ISO 8601, if a sentence that names the event has it."""
        mentions_of_date = find_dates(date_text, language=self.language)
        if len(mentions_of_date) != 1 or not _is_moment(mentions_of_date[0]):
            return None
        date = mentions_of_date[0].first
        sentences = self._sentences_with(core)
        mentions = [mention for sentence in sentences for mention in find_dates(sentence, language=self.language)]
        return date if any(_is_moment(mention) and mention.first == date for mention in mentions) else None

    def _without_leading(self, name: str) -> str:
        start = 0
        while match := self.words.leading.match(name, start):
            start = match.end()
        return name[start:]

    def _is_event_name(self, name: str) -> bool:
        """Whether a text calls it an event, or tells something of it that only events do."""
        pattern = re.compile(rf"\b{re.escape(name)}\b", re.I)
        return any(
            self.words.before_event.search(text, max(0, match.start() - _REACH), match.start())
            or self.words.after_event.match(text, match.end())
            for text in self.texts
            if name in text
            for match in pattern.finditer(text)
        )

    def _sentences_with(self, core: str) -> Iterator[str]:
        count = 0
        for text in self.texts:
            if core not in text:
                continue
            for sentence in split_sentences(text, self.language):
                if core in sentence.text and not sentence.text.endswith("?"):
                    yield sentence.text
                    count += 1
                    if count == _MAX_SENTENCES:
                        return

    def _single_date(self, sentence: str, core: str) -> Iterator[PartialDate]:
        """Yield the date of a sentence that has exactly one, apart from the year in the event's name."""
        mentions = find_dates(sentence.replace(core, ","), language=self.language)
        if len(mentions) == 1 and _is_moment(mentions[0]):
            yield mentions[0].first


def _is_moment(mention: DateMention) -> bool:
    return mention.first == mention.last and not mention.part


def _agreed_date(dates: Sequence[PartialDate]) -> PartialDate | None:
    """Return the most frequent year, with month and day if they are unambiguous; None if years tie or none is given."""
    if not dates:
        return None
    years = Counter(date.year for date in dates).most_common(2)
    if len(years) > 1 and years[0][1] == years[1][1]:
        return None
    year = years[0][0]
    of_year = [date for date in dates if date.year == year]
    months = {date.month for date in of_year if date.month}
    if len(months) != 1:
        return PartialDate(year)
    days = {date.day for date in of_year if date.day}
    return PartialDate(year, months.pop(), days.pop() if len(days) == 1 else 0)
