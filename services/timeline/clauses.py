"""Clauses: a sentence that tells several events is cut into what it tells one after the other.

It is cut at a conjunction or a mark (`services.timeline.speech`) that stands in no brackets and no quoted words, where
something is told on both sides: between two dates, in news also between what happened on one day. `It was launched in
1990 and serviced in 1993` gives `It was launched in 1990` and `It … serviced in 1993`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from libs.chronology.eventfulness import verbs_in
from libs.text.dates import DateMention
from services.timeline.predicates import begins_with_verb, subject_of
from services.timeline.speech import Speech

OPENS: Final = 12
"""Characters before a date that a clause opens with: `on the`, `in early`."""
_LEFT_OUT: Final = " … "


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch [start, end) of a sentence."""

    start: int
    end: int
    subject: str = ""
    """Of the clause before, where this one has none of its own; empty otherwise."""

    def of(self, sentence: str) -> str:
        """Its words."""
        return sentence[self.start : self.end]

    def alone(self, sentence: str) -> str:
        """Its words as they are understood without the others."""
        words = f"{self.subject}{_LEFT_OUT}{self.of(sentence)}" if self.subject else self.of(sentence)
        return words[:1].upper() + words[1:] if self.start else words

    def holds(self, mention: DateMention) -> bool:
        """Whether it tells a date of the sentence."""
        return self.start <= mention.start < self.end


def clauses_of(sentence: str, dates: Sequence[DateMention], speech: Speech, in_news: bool = False) -> list[Clause]:
    """The clauses of a sentence in order, joints left out; the whole sentence where it is not cut.

    Args:
        sentence: as it stands in its document.
        dates: those in it that something happened on, in order.
        speech: of its language.
        in_news: whether what has no date of its own is told apart, too (TimeSET, pairs in order: .41, without it .39).
    """
    whole = Clause(0, len(sentence))
    if len(dates) < 2 and not in_news:
        return [whole]
    joints = (joint for joint in speech.joint.finditer(sentence) if is_open(sentence, joint.start()))
    cutting = _Cutting(sentence, dates, speech, in_news, tuple(sorted(joints, key=_clearness, reverse=True)))
    return cutting.cut(whole)


def is_open(sentence: str, position: int) -> bool:
    """Whether a place lies neither in brackets nor in a quotation."""
    before = sentence[:position]
    quoted = before.count('"') % 2 == 1 or before.count("“") > before.count("”")
    return not quoted and before.count("(") <= before.count(")") and before.count("[") <= before.count("]")


@dataclass(frozen=True, slots=True)
class _Cutting:
    """A sentence and where it may be cut, the clearest joint first."""

    sentence: str
    dates: Sequence[DateMention]
    speech: Speech
    in_news: bool
    joints: tuple[re.Match[str], ...]

    def cut(self, clause: Clause) -> list[Clause]:
        """The parts of a clause, or the clause."""
        for joint in self.joints:
            if clause.start < joint.start() and joint.end() < clause.end:
                parts = self._parted(clause, joint)
                if parts and (self._are_dated(parts) or (self.in_news and joint["joins"])):
                    return [*self.cut(parts[0]), *self.cut(parts[1])]
        return [clause]

    def _are_dated(self, parts: tuple[Clause, Clause]) -> bool:
        return all(any(part.holds(date) for date in self.dates) for part in parts)

    def _parted(self, clause: Clause, joint: re.Match[str]) -> tuple[Clause, Clause] | None:
        """Both parts; None where one tells nothing, or leans on more than the other's subject."""
        before, after = replace(clause, end=joint.start()), Clause(joint.end(), clause.end)
        if not all(verbs_in(part.of(self.sentence)) for part in (before, after)):
            return None
        if self._begins_with_verb(after):
            subject = clause.subject or self._subject(before, joint)
            return (before, replace(after, subject=subject)) if subject else None
        return (before, after) if _clearness(joint) or self._is_beside_date(before, after) else None

    def _begins_with_verb(self, clause: Clause) -> bool:
        """Also behind a date: `a year later drove into it`."""
        starts = (clause.start, *(date.end for date in self.dates if 0 <= date.start - clause.start <= OPENS))
        return any(begins_with_verb(self.sentence[start : clause.end]) for start in starts)

    def _subject(self, clause: Clause, joint: re.Match[str]) -> str:
        """What goes on: in `GM said that Opel was sold and closed` Opel; behind a comma it may be GM."""
        words = clause.of(self.sentence)
        inner = [opening.end() for opening in self.speech.opens.finditer(words)]
        if inner and _mark_of(joint):
            return ""
        return subject_of(words[inner[-1] :] if inner else words, [date.text for date in self.dates])

    def _is_beside_date(self, before: Clause, after: Clause) -> bool:
        """`… on 4 January and Opportunity landed`, `… was closed and on 4 January they`; not `in 2003 and 2004`."""
        gaps = [date.start - after.start for date in self.dates]
        is_near = any(0 < gap <= OPENS for gap in gaps) or any(date.end == before.end for date in self.dates)
        return is_near and 0 not in gaps


def _clearness(joint: re.Match[str]) -> int:
    """How surely a new clause begins: 2 at a mark greater than a comma, 1 at `, and`, else 0."""
    mark = _mark_of(joint)
    return 2 if mark not in ("", ",") else 1 if mark and joint["joins"] else 0


def _mark_of(joint: re.Match[str]) -> str:
    """The mark that a joint begins with; empty for a conjunction alone."""
    first = joint[0].lstrip()[:1]
    return "" if first.isalnum() else first
