"""The topic of a conversation: the noun phrases of recent user turns, and the names that answers introduced.

Each candidate has a salience. Newer turns count more (each older turn counts half), user turns more than answers, names
more than things, and phrases after a preposition less than the subject of a question. Weights without a source are by
hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from libs.language.topics.follow_ups import Dialogue
from libs.language.topics.grammar import Grammar
from services.decompose.condense.content_words import names_of, words_of
from services.decompose.history import HistoryWindow
from services.decompose.plan.sentences import body_of
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases

DECAY = 0.5
"""Weight of a turn relative to the one after it (by hand)."""
_WEIGHTS: Mapping[PhraseKind, float] = {
    PhraseKind.NUMBERED: 1.0,
    PhraseKind.NAME: 1.0,
    PhraseKind.PLACE: 0.75,
    PhraseKind.THING: 0.5,
    PhraseKind.DATE: 0.1,
}
_OWN = 1.4
"""For possessives such as `my password`: the user's own things tend to remain the topic; MTRAG's retrieval hardly
changes (nDCG@10 the same, @5 by .001)."""
_BEHIND = 0.55
"""For a phrase after a preposition, or an attribute of another thing (the cost; by hand)."""
_NAMED_BY_ANSWER = 0.35  # weight of what only an answer names; by hand
_ANSWERS_WHO = 3.0
"""For the first name of an answer to "who" or "which": the next pronoun refers to it (taste)."""
_ANSWER_CHARACTERS = 300
"""Leading characters of an answer that are searched for names: its topic is named at the beginning (taste)."""
_ANSWERS_READ = 3
"""Number of newest answers that are searched for names. Names from older answers weigh almost nothing, unless a user
turn repeats them, and then they are found there (taste)."""


@dataclass(frozen=True, slots=True)
class TopicCandidate:
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
class ConversationTopic:
    """The candidates of a conversation, most salient first."""

    candidates: tuple[TopicCandidate, ...] = ()
    texts: tuple[str, ...] = ()
    """All texts of the conversation."""
    language: str = field(kw_only=True)

    @property
    def names(self) -> tuple[TopicCandidate, ...]:
        """The candidates that are proper names."""
        return tuple(candidate for candidate in self.candidates if candidate.phrase.kind.is_name)

    def mentions(self, word: str) -> bool:
        """Whether a lower-cased word occurs in the conversation."""
        return any(word in words_of(text, self.language) for text in self.texts)


def read_topic(
    window: HistoryWindow,
    questions: Sequence[str],
    domain: Domain,
    names: frozenset[str],
    language: str,
) -> ConversationTopic:
    """Return the topic of a window.

    Args:
        questions: the user turns of the window, standalone, in the order of its exchanges.
        names: the conversation's known names.
        language: of the conversation; ISO 639-1.
    """
    candidates: list[TopicCandidate] = []
    for turn, exchange in enumerate(window.exchanges):
        age = len(window.exchanges) - 1 - turn
        candidates += _candidates_of_question(questions[turn], turn, age, names, domain, language)
        if age < _ANSWERS_READ:
            candidates += _candidates_of_answer(exchange.answer, exchange.question, turn, age, language)
    return ConversationTopic(tuple(_merge(candidates)), (*reversed(questions), *window.texts()), language=language)


def _candidates_of_question(
    question: str, turn: int, age: int, names: frozenset[str], domain: Domain, language: str
) -> Iterable[TopicCandidate]:
    dialogue, possessives = Dialogue.of(language), Grammar.of(language).possessives
    about_person = dialogue.asks_about_person.match(question) is not None
    of_facet = False  # "the distance to the Sun": the question is about the Sun
    for phrase in find_phrases(body_of(question, language), language, names):
        weight = _WEIGHTS[phrase.kind] * DECAY**age
        facet = phrase.kind is PhraseKind.THING and is_among(phrase.text.lower(), domain.relations, language)
        is_behind = phrase.preposition and phrase.preposition not in dialogue.leading_prepositions
        if facet or (is_behind and not of_facet):
            weight *= _BEHIND
        if phrase.determiner in possessives:
            weight *= _OWN
        of_facet = facet
        is_person = about_person and phrase.kind is PhraseKind.NAME
        yield TopicCandidate(phrase, weight, turn, by_user=True, is_person=is_person)


def _candidates_of_answer(answer: str, question: str, turn: int, age: int, language: str) -> Iterable[TopicCandidate]:
    dialogue, first_word = Dialogue.of(language), _first_word(question)
    asks_who, asks_person = first_word in dialogue.asks_for_name, first_word in dialogue.asks_for_person
    opening = answer[:_ANSWER_CHARACTERS]
    phrases = find_phrases(opening, language, names_of(opening, language))
    phrases = tuple(phrase for phrase in phrases if phrase.kind is not PhraseKind.THING)
    for position, phrase in enumerate(phrases):
        is_answer = asks_who and position == 0
        weight = _NAMED_BY_ANSWER * DECAY**age * (_ANSWERS_WHO if is_answer else _WEIGHTS[phrase.kind] / (1 + position))
        penalty = _BEHIND if phrase.preposition and not is_answer else 1
        is_person = is_answer and asks_person and phrase.kind is PhraseKind.NAME
        yield TopicCandidate(phrase, weight * penalty, turn, by_user=False, is_person=is_person)


def _first_word(question: str) -> str:
    return question.lower().replace("’", "'").split(" ", 1)[0].strip(",?")


def _merge(candidates: Iterable[TopicCandidate]) -> list[TopicCandidate]:
    """Merge mentions of the same thing: the best mention's salience plus a little for each further one."""
    by_key: dict[str, TopicCandidate] = {}
    for candidate in candidates:
        key = candidate.key
        earlier = by_key.get(key)
        if earlier is None:
            by_key[key] = candidate
            continue
        best, other = (earlier, candidate) if earlier.salience >= candidate.salience else (candidate, earlier)
        phrase = best.phrase
        if other.phrase.tail and not phrase.tail:
            phrase = replace(phrase, tail=other.phrase.tail)
        by_key[key] = TopicCandidate(
            phrase,
            best.salience + 0.2 * other.salience,  # by hand
            max(earlier.turn, candidate.turn),
            earlier.by_user or candidate.by_user,
            earlier.is_person or candidate.is_person,
        )
    return sorted(by_key.values(), key=lambda candidate: -candidate.salience)
