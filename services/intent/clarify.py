"""Ask back where a question points to nothing that was named, and the index has several things that it may mean.

A probe, which the gateway makes, is a shallow search for the question. The documents that it finds of the kind asked
for are the options, so each of them can be answered.
"""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import chain
from textwrap import shorten
from typing import Final

from libs.contracts.evidence import Evidence, Passage
from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.understanding import QuestionSupplement
from libs.language.known import ENGLISH, phrase
from libs.text.tokens import content_stems
from services.intent.pointing import Pointing, find_pointing

RESOLVED_CONFIDENCE: Final = 0.8
"""Minimum confidence with which condensing has found what a question points to (by hand)."""
MAX_CHOICES: Final = 5
"""Options to offer: as many as the contract allows."""
_MAX_CHOICE: Final = 80
"""Characters of an option that is no title; a line of a console (taste)."""


@dataclass(frozen=True, slots=True)
class Clarity:
    """What a question points to without naming it."""

    language: str
    """The question's language, ISO 639-1."""
    pointing: tuple[Pointing, ...] = ()
    kind: frozenset[str] = frozenset()
    """Stems, one of which what is meant has: the noun of `that mission`, or else the content of the question."""

    @property
    def ask_score(self) -> float:
        """The number of phrases that point to nothing named."""
        return float(len(self.pointing))


def clarity_of(question: str, history: str, times: Sequence[str], language: str) -> Clarity:
    """Return what a turn points to without naming it.

    Args:
        question: the last turn.
        history: what was said before it.
        times: phrases of a known time (`this week`), which are clear.
        language: the question's language, ISO 639-1.
    """
    pointing = tuple(
        each
        for each in find_pointing(question, history, language)
        if not any(time in each.phrase or each.phrase in time for time in times)
    )
    kind = frozenset(stem for each in pointing for stem in each.kind)
    return Clarity(language, pointing, kind or frozenset(content_stems(question, language)))


def question_back(
    clarity: Clarity, threshold: float, record: DecisionRecord | None, probe: Sequence[Evidence]
) -> QuestionSupplement:
    """Return the question back, or an empty one if there is nothing to ask.

    Args:
        clarity: of the question.
        threshold: minimum ask score for asking back.
        record: how the question was condensed.
        probe: evidence for the things that it may mean.
    """
    is_clear = not clarity.pointing or clarity.ask_score < threshold
    if is_clear or _is_resolved(record) or len(choices := options(probe, clarity.kind)[:MAX_CHOICES]) < 2:
        return QuestionSupplement()
    description = phrase("ask_meaning", clarity.language).format(phrase=clarity.pointing[0].phrase)
    return QuestionSupplement(True, description, choices)


def _is_resolved(record: DecisionRecord | None) -> bool:
    """Whether condensing surely found what is meant."""
    return record is not None and record.decision is Decision.CONDENSE and record.confidence >= RESOLVED_CONFIDENCE


def options(probe: Sequence[Evidence], kind: Set[str] = frozenset()) -> tuple[str, ...]:
    """Return the things that the evidence shows: documents' titles, with the date where they share one, in rank order.

    Args:
        probe: the evidence.
        kind: stems, one of which their passages have; empty for things of any kind.
    """
    found = chain.from_iterable((each.passage, *(copy.passage for copy in each.near_duplicates)) for each in probe)
    passages = [passage for passage in found if not kind or not kind.isdisjoint(_stems_of(passage))]
    dated = {(_topic(passage).casefold(), passage.date) for passage in passages}
    titles = Counter(title for title, _ in dated)
    names: dict[str, str] = {}
    for passage in passages:
        topic = _topic(passage)
        name = f"{topic} ({passage.date})" if passage.date and titles[topic.casefold()] > 1 else topic
        names.setdefault(name.casefold(), name)
    return tuple(filter(None, names.values()))


def _stems_of(passage: Passage) -> list[str]:
    return content_stems(f"{passage.title}\n{passage.text}", passage.language or ENGLISH)


def _topic(passage: Passage) -> str:
    """Return the document's title, else the beginning of the passage."""
    return " ".join(passage.title.split()) or shorten(passage.text, _MAX_CHOICE, placeholder=" …")
