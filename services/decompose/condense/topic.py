"""What the conversation is about: the noun phrases of recent user turns, and the names that answers brought in.

Each candidate has a salience: newer turns count more (half a turn back), user turns more than answers, names more than
things, and what stands behind a preposition less than what a question is about.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from services.decompose.condense.content_words import names_of, words_of
from services.decompose.condense.ellipsis import body_of
from services.decompose.history import HistoryWindow
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.grammar import POSSESSIVES
from services.decompose.words.phrases import Kind, Phrase, find_phrases

DECAY = 0.5
"""How much less a turn counts than the one after it."""
_WEIGHTS: Mapping[Kind, float] = {Kind.NUMBERED: 1.0, Kind.NAME: 1.0, Kind.PLACE: 0.75, Kind.THING: 0.5, Kind.DATE: 0.1}
_OWN = 1.4
"""Of `my password`: what is the asker's own is what goes on to be asked about; MTRAG's retrieval hardly changes
(nDCG@10 the same, @5 by .001)."""
_BEHIND = 0.55
"""What stands behind a preposition, or is only what is asked of another thing (the cost), counts less."""
_LEADING = frozenset(("", "of", "about", "with", "between", "versus", "than"))
_NAMED_BY_ANSWER = 0.35
_ANSWERS_WHO = 3.0
"""For the first name of an answer to "who" or "which": it is what the next pronoun means."""
_ANSWER_CHARACTERS = 300
"""How much of an answer is read for names: what it is about stands at its beginning."""
_ANSWERS_READ = 3
"""Newest answers that are read for names; what an older one brought in weighs next to nothing, unless a user turn took
it up, and then it stands there."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that was spoken of."""

    phrase: Phrase
    salience: float
    turn: int
    """The exchange, by its position in the window, in which it was said last."""
    by_user: bool
    is_person: bool = False
    """Asked for by "who"."""

    @property
    def key(self) -> str:
        """What makes two mentions the same."""
        return self.phrase.text.lower()


@dataclass(frozen=True, slots=True)
class Topic:
    """What was spoken of, the most salient first."""

    candidates: tuple[Candidate, ...] = ()
    texts: tuple[str, ...] = ()
    """Everything that was said."""

    @property
    def names(self) -> tuple[Candidate, ...]:
        """The candidates that are proper names."""
        return tuple(candidate for candidate in self.candidates if candidate.phrase.kind.is_name)

    def mentions(self, word: str) -> bool:
        """Whether a word, lower-cased, was said."""
        return any(word in words_of(text) for text in self.texts)


def read_topic(window: HistoryWindow, questions: Sequence[str], domain: Domain, names: frozenset[str]) -> Topic:
    """The topic of a window.

    Args:
        questions: the user turns of the window as they stand alone, in the order of its exchanges.
        names: the conversation's known names.
    """
    found: list[Candidate] = []
    for turn, exchange in enumerate(window.exchanges):
        age = len(window.exchanges) - 1 - turn
        found += _of_question(questions[turn], turn, age, names, domain)
        if age < _ANSWERS_READ:
            found += _of_answer(exchange.answer, exchange.question, turn, age)
    return Topic(tuple(_merge(found)), (*reversed(questions), *window.texts()))


def _of_question(question: str, turn: int, age: int, names: frozenset[str], domain: Domain) -> Iterable[Candidate]:
    about_person = question.lower().startswith(("who is", "who was", "who's", "who’s"))
    of_facet = False  # "the distance to the Sun": it is the Sun that is asked about
    for phrase in find_phrases(body_of(question), names):
        weight = _WEIGHTS[phrase.kind] * DECAY**age
        facet = phrase.kind is Kind.THING and is_among(phrase.text.lower(), domain.relations)
        if facet or (phrase.preposition not in _LEADING and not of_facet):
            weight *= _BEHIND
        if phrase.determiner in POSSESSIVES:
            weight *= _OWN
        of_facet = facet
        is_person = about_person and phrase.kind is Kind.NAME
        yield Candidate(phrase, weight, turn, by_user=True, is_person=is_person)


def _of_answer(answer: str, question: str, turn: int, age: int) -> Iterable[Candidate]:
    asked = _first_word(question) in {"who", "which", "whose", "who's"}
    opening = answer[:_ANSWER_CHARACTERS]
    named = [phrase for phrase in find_phrases(opening, names_of(opening)) if phrase.kind is not Kind.THING]
    for position, phrase in enumerate(named):
        first = asked and position == 0
        weight = _NAMED_BY_ANSWER * DECAY**age * (_ANSWERS_WHO if first else _WEIGHTS[phrase.kind] / (1 + position))
        behind = _BEHIND if phrase.preposition and not first else 1
        is_person = first and _first_word(question) != "which" and phrase.kind is Kind.NAME
        yield Candidate(phrase, weight * behind, turn, by_user=False, is_person=is_person)


def _first_word(question: str) -> str:
    return question.lower().replace("’", "'").split(" ", 1)[0].strip(",?")


def _merge(found: Iterable[Candidate]) -> list[Candidate]:
    """One candidate a thing: the best mention's salience plus a little for each further one."""
    merged: dict[str, Candidate] = {}
    for candidate in found:
        key = candidate.key
        known = merged.get(key)
        if known is None:
            merged[key] = candidate
            continue
        best, other = (known, candidate) if known.salience >= candidate.salience else (candidate, known)
        phrase = best.phrase
        if other.phrase.tail and not phrase.tail:
            phrase = replace(phrase, tail=other.phrase.tail)
        merged[key] = Candidate(
            phrase,
            best.salience + 0.2 * other.salience,
            max(known.turn, candidate.turn),
            known.by_user or candidate.by_user,
            known.is_person or candidate.is_person,
        )
    return sorted(merged.values(), key=lambda candidate: -candidate.salience)
