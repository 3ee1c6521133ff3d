"""The topic of a conversation: the noun phrases of recent user turns, and the names that answers introduced.

Each candidate has a salience. Newer turns count more (each older turn counts half), user turns more than answers, names
more than things, and phrases after a preposition less than the subject of a question.
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
"""Weight of a turn relative to the one after it."""
_WEIGHTS: Mapping[Kind, float] = {Kind.NUMBERED: 1.0, Kind.NAME: 1.0, Kind.PLACE: 0.75, Kind.THING: 0.5, Kind.DATE: 0.1}
_OWN = 1.4
"""For possessives such as `my password`: the user's own things tend to remain the topic; MTRAG's retrieval hardly
changes (nDCG@10 the same, @5 by .001)."""
_BEHIND = 0.55
"""For a phrase after a preposition, or an attribute of another thing (the cost)."""
_LEADING = frozenset(("", "of", "about", "with", "between", "versus", "than"))
_NAMED_BY_ANSWER = 0.35
_ANSWERS_WHO = 3.0
"""For the first name of an answer to "who" or "which": the next pronoun refers to it."""
_ANSWER_CHARACTERS = 300
"""Leading characters of an answer that are searched for names: its topic is named at the beginning."""
_ANSWERS_READ = 3
"""Number of newest answers that are searched for names. Names from older answers weigh almost nothing, unless a user
turn repeats them, and then they are found there."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible antecedent: a phrase mentioned in the conversation."""

    phrase: Phrase
    salience: float
    turn: int
    """Position in the window of the exchange that mentioned it last."""
    by_user: bool
    is_person: bool = False
    """Whether it is the subject or the answer of a "who" question."""

    @property
    def key(self) -> str:
        """The key by which mentions of the same thing are merged."""
        return self.phrase.text.lower()


@dataclass(frozen=True, slots=True)
class Topic:
    """The candidates of a conversation, most salient first."""

    candidates: tuple[Candidate, ...] = ()
    texts: tuple[str, ...] = ()
    """All texts of the conversation."""

    @property
    def names(self) -> tuple[Candidate, ...]:
        """The candidates that are proper names."""
        return tuple(candidate for candidate in self.candidates if candidate.phrase.kind.is_name)

    def mentions(self, word: str) -> bool:
        """Whether a lower-cased word occurs in the conversation."""
        return any(word in words_of(text) for text in self.texts)


def read_topic(window: HistoryWindow, questions: Sequence[str], domain: Domain, names: frozenset[str]) -> Topic:
    """Return the topic of a window.

    Args:
        questions: the user turns of the window, standalone, in the order of its exchanges.
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
    of_facet = False  # "the distance to the Sun": the question is about the Sun
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
    """Merge mentions of the same thing: the best mention's salience plus a little for each further one."""
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
