"""Clauses: splits a sentence that describes several events into one clause per event.

It is split at a conjunction or punctuation mark (`timeline_words`) outside brackets and quotations, if both sides
contain a verb: between two dates, and in news also between events of the same day. `It was launched in 1990 and
serviced in 1993` gives `It was launched in 1990` and `It … serviced in 1993`. Pure functions. TimeSET is a benchmark of
timelines.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from libs.chronology.eventfulness import verbs_in
from libs.language.topics.grammar import EventVerbs, Grammar, Inflection
from libs.text.dates.document_dates import DateMention
from services.timeline.extraction.timeline_words import clause_patterns_of
from services.timeline.reading.carried_dates import is_open

_WORD: Final = re.compile(r"[^\W\d_][\w’'-]*")
_MAX_SUBJECT: Final = 80
"""Characters; anything longer is no subject or was misdetected (taste)."""


def begins_with_verb(words: str, language: str) -> bool:
    """Whether a clause has no subject of its own: `was later charged`, `leaving …`."""
    first = _WORD.search(words)
    if first is None:
        return False
    is_continuous = first[0].islower() and first[0].endswith(Inflection.of(language).continuous_endings)
    return is_continuous or _is_verb(first[0], language)


def subject_of(clause: str, dates: Iterable[str], language: str) -> str:
    """Return the text before the first verb, without a date and anything before a comma; empty without a verb."""
    verb = _predicate_in(clause, language)
    if verb is None:
        return ""
    begins = max((clause.find(date) + len(date) for date in dates if date in clause[:verb]), default=0)
    subject = clause[begins:verb].strip(" ,;:").rsplit(", ", 1)[-1]
    return subject if len(subject) <= _MAX_SUBJECT else ""


def _predicate_in(words: str, language: str) -> int | None:
    """Return the start of the first verb, ignoring participles as in `the newly elected …`, or None."""
    before_noun = EventVerbs.of(language).before_noun
    verbs = (word.start() for word in _WORD.finditer(words) if _is_verb(word[0], language))
    return next((start for start in verbs if not before_noun.search(words[:start])), None)


def _is_verb(word: str, language: str) -> bool:
    return word in Grammar.of(language).auxiliaries or verbs_in(word, language) == (word,)


OPENS: Final = 12
"""Maximum characters before a date that opens a clause: `on the`, `in early` (taste)."""
_LEFT_OUT: Final = " … "


@dataclass(frozen=True, slots=True)
class Clause:
    """A span [start, end) of a sentence."""

    start: int
    end: int
    subject: str = ""
    """The previous clause's subject if this one has none of its own, else empty."""
    earlier: bool = False
    """Whether it tells what was before the previous clause: `after it flew off`."""

    def of(self, sentence: str) -> str:
        """Return its text."""
        return sentence[self.start : self.end]

    def alone(self, sentence: str) -> str:
        """Return its text in a form that can be understood without the other clauses."""
        words = f"{self.subject}{_LEFT_OUT}{self.of(sentence)}" if self.subject else self.of(sentence)
        return words[:1].upper() + words[1:] if self.start else words

    def holds(self, mention: DateMention) -> bool:
        """Whether it contains a date of the sentence."""
        return self.start <= mention.start < self.end


def clauses_of(sentence: str, dates: Sequence[DateMention], language: str, in_news: bool = False) -> list[Clause]:
    """Return the clauses of a sentence in order, without the joints; the whole sentence if it is not split.

    Args:
        sentence: the sentence as in its document.
        dates: its dates on which something happened, in order.
        language: its language, ISO 639-1.
        in_news: whether to split off clauses without a date, too (TimeSET, pairs in order: .41, without it .39).
    """
    whole = Clause(0, len(sentence))
    if len(dates) < 2 and not in_news:
        return [whole]
    speech = clause_patterns_of(language)
    joints = (joint for joint in speech.joint.finditer(sentence) if is_open(sentence, joint.start()))
    cutting = _ClauseSplitter(sentence, dates, language, in_news, tuple(sorted(joints, key=_clearness, reverse=True)))
    return cutting.split(whole)


@dataclass(frozen=True, slots=True)
class _ClauseSplitter:
    """A sentence and its possible joints, the clearest first."""

    sentence: str
    dates: Sequence[DateMention]
    language: str
    in_news: bool
    joints: tuple[re.Match[str], ...]

    def split(self, clause: Clause) -> list[Clause]:
        """Return the parts of a clause, or the clause itself if it is not split."""
        for joint in self.joints:
            if clause.start < joint.start() and joint.end() < clause.end:
                parts = self._split(clause, joint)
                are_dated = all(any(part.holds(date) for date in self.dates) for part in parts or ())
                if parts and (are_dated or (self.in_news and (joint["joins"] or joint["earlier"]))):
                    return [*self.split(parts[0]), *self.split(parts[1])]
        return [clause]

    def _split(self, clause: Clause, joint: re.Match[str]) -> tuple[Clause, Clause] | None:
        """Return both parts, or None if one has no verb or needs more of the other than its subject."""
        before = replace(clause, end=joint.start())
        after = Clause(joint.end(), clause.end, earlier=bool(joint["earlier"]))
        if not all(verbs_in(part.of(self.sentence), self.language) for part in (before, after)):
            return None
        if joint["earlier"]:
            return None if self._begins_with_verb(after) else (before, after)
        if self._begins_with_verb(after):
            subject = clause.subject or self._subject(before, joint)
            return (before, replace(after, subject=subject)) if subject else None
        return (before, after) if _clearness(joint) or self._is_beside_date(before, after) else None

    def _begins_with_verb(self, clause: Clause) -> bool:
        """Whether it begins with a verb, possibly after a date: `a year later drove into it`."""
        starts = (clause.start, *(date.end for date in self.dates if 0 <= date.start - clause.start <= OPENS))
        return any(begins_with_verb(self.sentence[start : clause.end], self.language) for start in starts)

    def _subject(self, clause: Clause, joint: re.Match[str]) -> str:
        """Return the shared subject: Opel in `GM said that Opel was sold and closed`; empty if it is ambiguous."""
        words = clause.of(self.sentence)
        inner = [opening.end() for opening in clause_patterns_of(self.language).opens.finditer(words)]
        if inner and _mark_of(joint):
            return ""
        return subject_of(words[inner[-1] :] if inner else words, [date.text for date in self.dates], self.language)

    def _is_beside_date(self, before: Clause, after: Clause) -> bool:
        """`… on 4 January and Opportunity landed`, `… was closed and on 4 January they`; not `in 2003 and 2004`."""
        gaps = [date.start - after.start for date in self.dates]
        is_near = any(0 < gap <= OPENS for gap in gaps) or any(date.end == before.end for date in self.dates)
        return is_near and 0 not in gaps


def _clearness(joint: re.Match[str]) -> int:
    """Rate how certainly a new clause begins: 2 at a mark stronger than a comma, 1 at `, and` and `after`, else 0."""
    mark = _mark_of(joint)
    return 2 if mark not in ("", ",") else 1 if joint["earlier"] or (mark and joint["joins"]) else 0


def _mark_of(joint: re.Match[str]) -> str:
    """Return the punctuation mark that a joint begins with, empty for a conjunction alone."""
    first = joint[0].lstrip()[:1]
    return "" if first.isalnum() else first
