"""Occasions: the events of a sentence, clause by clause, each with its date."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from libs.chronology.eventfulness import verbs_in
from libs.chronology.roles import Role, role_of
from libs.text.dates import DateMention
from libs.text.tokens import content_stems, stem
from services.timeline.clauses import OPENS, Clause, clauses_of
from services.timeline.dating import DatedSentence
from services.timeline.speech import speech_of
from services.timeline.wording import citations_in

MOST_DATES: Final = 4
"""Maximum number of events in one sentence."""
_Dated = tuple[DateMention, Role]


@dataclass(frozen=True, slots=True)
class Occasion:
    """A clause and the date of its event."""

    clause: Clause
    mention: DateMention
    """The date; its text is empty if the date is carried."""
    role: Role


def occasions_of(dated: DatedSentence) -> list[Occasion]:
    """Return the event dates of a sentence in order; if there are none, the date with the strongest role."""
    text = dated.sentence.text
    citations = citations_in(text)
    mentions = [m for m in dated.mentions if not any(c.start <= m.start and m.end <= c.end for c in citations)]
    roles = [(mention, role_of(text, mention, dated.written)) for mention in mentions]
    apart = [mention for mention, role in roles if role in (Role.EVENT, Role.PLANNED)]
    in_news = dated.in_news and dated.carried is not None
    occasions: list[Occasion] = []
    for clause in clauses_of(text, apart, speech_of(dated.merged.passage.language), in_news):
        last = occasions[-1].mention if occasions and dated.carried else dated.carried
        carried = replace(last, text="", start=clause.start, end=clause.start) if last else None
        occasions += [Occasion(clause, *pair) for pair in _dates_of(clause, roles, carried)]
    return occasions[:MOST_DATES]


def _dates_of(clause: Clause, roles: Sequence[_Dated], carried: DateMention | None) -> list[_Dated]:
    """Return the dates of a clause's events; without an own date, the one before it (`… in April and published it`)."""
    own = [pair for pair in roles if clause.holds(pair[0])]
    happened = [pair for pair in own if pair[1] is Role.EVENT]
    if carried and not happened:
        own.append((carried, Role.CARRIED))
    return happened or sorted(own, key=lambda pair: -pair[1].value)[:1]


def words_beside(dated: DatedSentence, occasion: Occasion) -> frozenset[str]:
    """Return the stems next to a date; words without a verb share the sentence's (`passed Venus in …, Mars …`)."""
    beside = _beside(dated, occasion)
    verbs = () if verbs_in(beside) else verbs_in(dated.sentence.text)
    return frozenset((*content_stems(beside), *(stem(verb) for verb in verbs)))


def _beside(dated: DatedSentence, occasion: Occasion) -> str:
    """Return the part of a clause for a date: up to the next date if dates come first, else from the previous."""
    clause, mention, text = occasion.clause, occasion.mention, dated.sentence.text
    there = [other for other in dated.mentions if clause.holds(other)]
    if mention not in there:
        return clause.of(text)
    position = there.index(mention)
    if there[0].start - clause.start <= OPENS:
        return text[mention.start : there[position + 1].start if there[position + 1 :] else clause.end]
    start = there[position - 1].end if position else clause.start
    return text[start : clause.end if mention is there[-1] else mention.end]
