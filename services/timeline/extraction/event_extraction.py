"""The events of a sentence, clause by clause, each with its date. Pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from libs.chronology.eventfulness import verbs_in
from libs.chronology.roles import Role, role_of
from libs.text.dates.document_dates import DateMention
from libs.text.tokens import content_stems, stem
from services.timeline.extraction.clauses import OPENS, Clause, clauses_of
from services.timeline.extraction.event_text import citations_in
from services.timeline.reading.dating import DatedSentence

MAX_DATES: Final = 4
"""Maximum number of events in one sentence (taste)."""
_DateRole = tuple[DateMention, Role]


@dataclass(frozen=True, slots=True)
class ClauseEvent:
    """A clause and the date of its event."""

    clause: Clause
    mention: DateMention
    """The date; its text is empty if the date is carried."""
    role: Role


def clause_events(dated_sentence: DatedSentence) -> list[ClauseEvent]:
    """Return the events of a sentence in order of time; without an event's date, that with the strongest role."""
    text = dated_sentence.sentence.text
    citations = citations_in(text, dated_sentence.language)
    mentions = [
        m
        for m in dated_sentence.mentions
        if not any(citation.start <= m.start and m.end <= citation.end for citation in citations)
    ]
    roles = [
        (mention, role_of(text, mention, dated_sentence.written_on, language=dated_sentence.language))
        for mention in mentions
    ]
    event_dates = [mention for mention, role in roles if role in (Role.EVENT, Role.PLANNED)]
    in_news = dated_sentence.in_news and dated_sentence.carried_date is not None
    last, ordered = dated_sentence.carried_date, list[list[ClauseEvent]]()
    for clause in clauses_of(text, event_dates, dated_sentence.language, in_news):
        carried_date = replace(last, text="", start=clause.start, end=clause.start) if last else None
        events = [ClauseEvent(clause, *pair) for pair in _dates_of(clause, roles, carried_date)]
        ordered.insert(len(ordered) - clause.earlier, events)
        last = events[-1].mention if events and last else last
    return [event for events in ordered for event in events][:MAX_DATES]


def _dates_of(clause: Clause, roles: Sequence[_DateRole], carried_date: DateMention | None) -> list[_DateRole]:
    """Return the dates of a clause's events; without an own date, the one before it (`… in April and published it`)."""
    clause_dates = [pair for pair in roles if clause.holds(pair[0])]
    event_dates = [pair for pair in clause_dates if pair[1] is Role.EVENT]
    if carried_date and not any(role is Role.BOUND for _, role in clause_dates or ()) and not event_dates:
        clause_dates.append((carried_date, Role.CARRIED))
    return event_dates or sorted(clause_dates, key=lambda pair: -pair[1].value)[:1]


def stems_near_date(dated_sentence: DatedSentence, clause_event: ClauseEvent) -> frozenset[str]:
    """Return the stems next to a date; words without a verb share the sentence's (`passed Venus in …, Mars …`)."""
    part, language = _part_for_date(dated_sentence, clause_event), dated_sentence.language
    verbs = () if verbs_in(part, language) else verbs_in(dated_sentence.sentence.text, language)
    return frozenset((*content_stems(part, language), *(stem(verb, language) for verb in verbs)))


def _part_for_date(dated_sentence: DatedSentence, clause_event: ClauseEvent) -> str:
    """Return the part of a clause for a date: up to the next date if dates come first, else from the previous."""
    clause, mention, text = clause_event.clause, clause_event.mention, dated_sentence.sentence.text
    clause_dates = [other for other in dated_sentence.mentions if clause.holds(other)]
    if mention not in clause_dates:
        return clause.of(text)
    position = clause_dates.index(mention)
    if clause_dates[0].start - clause.start <= OPENS:
        return text[mention.start : clause_dates[position + 1].start if clause_dates[position + 1 :] else clause.end]
    start = clause_dates[position - 1].end if position else clause.start
    return text[start : clause.end if mention is clause_dates[-1] else mention.end]
