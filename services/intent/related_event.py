"""The named event that a question is about, with its date from history or probe.

A name counts as an event if its words say so (`Apollo 11 landing`, `Battle of Hastings`, `Hurricane Katrina`,
`the 2008 financial crisis`), or if history or probe call it one (`the Apollo 11 mission`). Its date is what the
sentences that name it agree on: only the month or year if their days or months differ, none if two years tie.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from libs.contracts.dates import PartialDate
from libs.contracts.understanding import RelatedEvent
from libs.text.dates import DateMention, find_dates
from libs.text.sentences import split_sentences
from libs.text.tokens import content_stems, stem

_KIND: Final = (
    r"(?:landing|launch|mission|flight|splashdown|touchdown|war|battle|revolution|rebellion|uprising|accident|disaster|"
    r"crisis|crash|earthquake|eruption|tsunami|hurricane|typhoon|election|olympics|summit|conference|treaty|explosion|"
    r"flood|fire|storm|attacks?|bombing|massacre|coup|siege|festival|championship|world\s+cup|strike|expedition|"
    r"pandemic|epidemic|famine|riots?|trial|assassination|referendum|merger|eclipse|flyby|impact|"
    r"meteor|meteorite|blackout|outage|collapse|raid|protests?)"
)
_NAME: Final = r"[A-Z][\w’'-]*(?:\s+(?:[A-Z][\w’'-]*|\d{1,4}|(?:of|de|the)\s+(?=[A-Z])))*"
_OF: Final = (
    r"(?:Battle|Siege|Treaty|War|Fall|Peace|Congress|Massacre|Great\s+Fire|Declaration)\s+of\s+(?:the\s+)?"
    r"[A-Z][\w’'-]*(?:\s+[A-Z][\w’'-]*)*"
)
_STORM: Final = r"(?:Hurricane|Typhoon|Cyclone|Operation)\s+[A-Z][\w-]*"
_WAR: Final = (
    r"(?:World\s+[Ww]ar\s+(?:I{1,2}|One|Two|1|2)|(?:First|Second)\s+World\s+War|"
    r"[A-Z][\w-]*(?:\s+[A-Z][\w-]*)*\s+(?:War|Revolution|Uprising))"
)
_EVENT = re.compile(rf"\b(?P<name>{_OF}|{_STORM}|{_WAR})\b")
_NAMED = re.compile(rf"\b(?P<name>{_NAME})\s+(?P<kind>(?i:{_KIND}))\b")
_DATED = re.compile(rf"\b(?P<name>(?:1\d|20)\d\d\s+(?:[A-Za-z]+\s+){{0,3}}?(?i:{_KIND}))\b")
_ACTING = re.compile(r"(?:\A|\s)(?:Did|Does|Do|Will|Can|Could|Has|Had)\s+\Z")
"""An auxiliary before a name: the word after the name is then its verb (`Did Apple launch`)."""
_NUMBERED = re.compile(r"\b[A-Z][\w-]*(?:\s+[A-Z][\w-]*)*\s+\d{1,3}\b")
_LEADING = re.compile(
    r"\A(?:(?:The|A|An|When|What|Who|Why|Where|How|Which|Did|Does|Do|Was|Were|Is|Are|Tell|Describe|Explain|And|In|On|"
    r"During|After|Before|Has|Had|Will|Can|Could|Give|Show|List)\s+)+"
)
_NO_NAME_AFTER = re.compile(
    r"\b(?:did|does|do|will|would|can|could)\s+\Z|\b(?:that|this|an?|any|which|each|every)\s+\Z", re.I
)
"""After this, a name is a subject (`did NASA launch`), or the phrase is one of many (`that NASA mission`)."""
_MOST_SENTENCES: Final = 20


def find_related_event(question: str, history: Sequence[str], probe_texts: Sequence[str]) -> RelatedEvent | None:
    """Return the event that a question names, or None.

    Args:
        question: the standalone question.
        history: the earlier messages, oldest first.
        probe_texts: texts of a probe, best first.
    """
    texts = [*reversed(history), *probe_texts]
    event = _find_event(question, texts)
    if event is None:
        return None
    name, core = event
    return RelatedEvent(name, _date_of(core, name, texts))


def is_mentioned(name: str, texts: Sequence[str]) -> bool:
    """Whether one of the texts has all content words of an event's name."""
    name_stems = set(content_stems(name))
    return bool(name_stems) and any(name_stems <= set(content_stems(text)) for text in texts)


def event_of(name: str, texts: Sequence[str], model_date: str = "") -> RelatedEvent:
    """Return an event that a model named, dated from the texts.

    Args:
        name: the name that the model gave.
        texts: history and probe, newest and best first.
        model_date: the model's date, ISO 8601 of any precision; used only if the texts agree on no other date and one
            sentence has it.
    """
    event = _find_event(name, texts)
    core = event[1] if event else name
    return RelatedEvent(name, _date_of(core, name, texts) or _confirm_date(core, texts, model_date))


def _confirm_date(core: str, texts: Sequence[str], date_text: str) -> PartialDate | None:
    mentions_of_date = find_dates(date_text)
    if len(mentions_of_date) != 1 or not _is_moment(mentions_of_date[0]):
        return None
    date = mentions_of_date[0].first
    mentions = [mention for sentence in _sentences_with(core, texts) for mention in find_dates(sentence)]
    return date if any(_is_moment(mention) and mention.first == date for mention in mentions) else None


def _find_event(question: str, texts: Sequence[str]) -> tuple[str, str] | None:
    """Return the event's name, and the words that sentences about it contain; None if the question names none."""
    for pattern in (_EVENT, _DATED):
        if match := pattern.search(question):
            name = _LEADING.sub("", match["name"])
            return name, name
    for match in _NAMED.finditer(question):
        core = _LEADING.sub("", f"{match['name']} ").strip()
        leading = match["name"].removesuffix(core)
        acts = _NO_NAME_AFTER.search(question, 0, match.start()) or _ACTING.search(leading)
        if core and not core.isdigit() and not acts:
            return f"{core} {match['kind']}", core
    for match in _NUMBERED.finditer(question):
        core = _LEADING.sub("", match[0])
        if _is_event_name(core, texts):
            return core, core
    return None


def _is_event_name(name: str, texts: Sequence[str]) -> bool:
    kind_pattern = re.compile(rf"\b{re.escape(name)}\s+{_KIND}\b|\b{_KIND}\s+(?:of\s+)?{re.escape(name)}\b", re.I)
    action_pattern = re.compile(
        rf"\b{re.escape(name)}\s+(?:was\s+)?(?:launched|landed|lifted|flew|touched|entered|crashed|splashed)\b"
    )
    return any(kind_pattern.search(text) or action_pattern.search(text) for text in texts if name in text)


def _date_of(core: str, name: str, texts: Sequence[str]) -> PartialDate | None:
    """Return the date that sentences naming the event agree on; sentences that mention its kind take precedence."""
    year = re.match(r"(\d{4})\s", name)
    kind = stem(name.removeprefix(core).split()[-1]) if name != core else ""
    sentences = list(_sentences_with(core, texts))
    kind_sentences = [s for s in sentences if kind and kind in {stem(word) for word in re.findall(r"\w+", s)}]
    dates = [date for sentence in kind_sentences for date in _single_date(sentence, core)]
    if not dates:
        dates = [date for sentence in sentences for date in _single_date(sentence, core)]
        if kind or _NUMBERED.fullmatch(core):  # it may be another day of the same event
            dates = [PartialDate(date.year, date.month) for date in dates]
    if year:
        dates = [date for date in dates if date.year == int(year[1])] or [PartialDate(int(year[1]))]
    return _agreed_date(dates)


def _sentences_with(core: str, texts: Sequence[str]) -> Iterator[str]:
    count = 0
    for text in texts:
        if core not in text:
            continue
        for sentence in split_sentences(text):
            if core in sentence.text and not sentence.text.endswith("?"):
                yield sentence.text
                count += 1
                if count == _MOST_SENTENCES:
                    return


def _single_date(sentence: str, core: str) -> Iterator[PartialDate]:
    """Yield the date of a sentence that has exactly one, apart from the year in the event's name."""
    mentions = find_dates(sentence.replace(core, ","))
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
