"""Makes a follow-up stand alone by rules: a ladder of steps, each with its own reason and confidence.

No history: as it is. Then what leans on the conversation (an ellipsis, an anaphora), before the test for standing
alone: "how long does that refund take?" names its topic and has one. What stands alone or changes the topic is
left byte for byte. A conversation without a topic leaves the raw words. Else the fragment is spliced into the previous
question, the first anaphora resolved, or the topic put before the words; and what came of it must pass the guards.
"""

from collections.abc import Sequence

from libs.contracts.query import Decision, DecisionRecord, WeightedTerm
from libs.text.tokens import content_words, stem
from services.decompose.condense import guards
from services.decompose.condense.anaphora import Anaphora, find_anaphora, find_definite_anaphora
from services.decompose.condense.choices import picked
from services.decompose.condense.content_words import all_names
from services.decompose.condense.ellipsis import Ellipsis, body_of, find_ellipsis
from services.decompose.condense.ellipsis_resolution import Filled, fill_ellipsis, resolve_words
from services.decompose.condense.reading import ConversationReading
from services.decompose.condense.tidy import tidy
from services.decompose.condense.topic_shift import TopicShift, judge_topic_shift
from services.decompose.history import HistoryWindow
from services.decompose.words.domain import Domain

NO_HISTORY, LEFT_OPEN = 1.0, 0.3
"""Confidence of the first turn, and of a turn that leans on something which the conversation does not tell."""


class Condenser:
    """Condenses by rules; without state, safe from several threads."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain

    def condense(self, turn: str, window: HistoryWindow, offered: Sequence[str] = ()) -> DecisionRecord:
        """How a turn stands alone.

        Args:
            turn: the last turn, as it was said.
            window: the conversation before it.
            offered: the options that the newest turn offered, when it asked back.
        """
        if window.is_empty:
            return _left(Decision.PASS, turn, "there is no conversation before it", NO_HISTORY)
        names = all_names((*window.texts(), turn))
        choice = picked(turn, offered)
        if choice is not None and window.exchanges:
            return self._picked(turn, choice, self._read(window, names))
        return self._climb(turn, window, names)

    def _climb(self, turn: str, window: HistoryWindow, names: frozenset[str]) -> DecisionRecord:
        """The ladder from its second step on."""
        if not body_of(turn):
            return _left(Decision.PASS, turn, "it asks nothing", 0.9)
        rough = self._reading(window, names, [exchange.question for exchange in window.exchanges])
        leaning = self._leaning(turn, rough)
        if leaning == (None, None):
            return _left_alone(turn, judge_topic_shift(turn, rough))
        return self._lean(turn, *leaning, self._read(window, names))

    def _read(self, window: HistoryWindow, names: frozenset[str]) -> ConversationReading:
        """The conversation with each of its user turns made to stand alone in turn, the oldest first."""
        questions: list[str] = []
        for position, exchange in enumerate(window.exchanges):
            earlier = self._reading(window.before(position), names, questions)
            leaning = self._leaning(exchange.question, earlier) if questions else (None, None)
            leans = leaning != (None, None)
            questions.append(
                self._lean(exchange.question, *leaning, earlier).standalone if leans else exchange.question
            )
        return self._reading(window, names, questions)

    def _reading(self, window: HistoryWindow, names: frozenset[str], questions: Sequence[str]) -> ConversationReading:
        return ConversationReading(window, names, tuple(questions), self._domain)

    def _lean(
        self, turn: str, ellipsis: Ellipsis | None, anaphora: Anaphora | None, reading: ConversationReading
    ) -> DecisionRecord:
        """The steps for a turn that leans on the conversation."""
        leans = _leans(ellipsis, anaphora)
        if not reading.topic.candidates:
            return _left(Decision.CLARIFY, turn, f"{leans}, and the conversation names no topic", LEFT_OPEN)
        if ellipsis is not None:
            filled = fill_ellipsis(ellipsis, anaphora, reading)
        else:
            assert anaphora is not None
            filled = resolve_words(turn, anaphora, reading)
        return self._checked(turn, filled, leans, reading)

    def _leaning(self, turn: str, reading: ConversationReading) -> tuple[Ellipsis | None, Anaphora | None]:
        """What a turn leaves out, and its anaphora."""
        ellipsis, anaphora = find_ellipsis(turn), find_anaphora(turn, reading.names)
        if ellipsis is None and anaphora is None:
            definite = find_definite_anaphora(turn, self._domain)
            anaphora = definite if definite and reading.topic.names else None
        return ellipsis, anaphora

    def _checked(self, turn: str, filled: Filled, leans: str, reading: ConversationReading) -> DecisionRecord:
        standalone = tidy(filled.text)
        fault = guards.check(standalone, turn, reading.window, self._domain)
        if fault is not None:
            refused = f"{leans}; what rules made of it was refused ({fault.reason})"
            return _left(Decision.CLARIFY, turn, refused, LEFT_OPEN)
        best = filled.antecedents[0] if filled.antecedents else None
        last = len(reading.questions) - 1
        return DecisionRecord(
            Decision.CONDENSE,
            f"{leans}: {filled.reason}",
            raw=turn,
            standalone=standalone,
            confidence=filled.confidence,
            antecedent_turn=reading.window.first_turn + (best.turn if best else last),
            antecedents=tuple(candidate.phrase.text for candidate in filled.antecedents),
            added_terms=added_terms(standalone, turn),
        )

    def _picked(self, turn: str, choice: str, reading: ConversationReading) -> DecisionRecord:
        standalone = tidy(f"{reading.frame.rstrip('?!. ')} {choice}")
        return DecisionRecord(
            Decision.CONDENSE,
            f'it picks "{choice}" of the options that were offered',
            raw=turn,
            standalone=standalone,
            confidence=0.95,
            antecedent_turn=reading.window.first_turn + len(reading.questions) - 1,
            antecedents=(choice,),
            added_terms=added_terms(standalone, turn),
        )


def added_terms(standalone: str, turn: str) -> tuple[WeightedTerm, ...]:
    """The content words of a standalone question that its turn has not, each once."""
    said = {stem(word) for word in content_words(turn)}
    added = {stem(word): word for word in reversed(content_words(standalone)) if stem(word) not in said}
    return tuple(WeightedTerm(word, 1.0) for word in reversed(added.values()))


def _leans(ellipsis: Ellipsis | None, anaphora: Anaphora | None) -> str:
    if anaphora is not None:
        return f'"{anaphora.text}" leans on the conversation'
    return f"it {ellipsis.gap.value}" if ellipsis else ""


def _left_alone(turn: str, shift: TopicShift) -> DecisionRecord:
    decision = Decision.SWITCH if shift.shifts else Decision.PASS
    return _left(decision, turn, shift.reason, shift.confidence)


def _left(decision: Decision, turn: str, reason: str, confidence: float) -> DecisionRecord:
    """The raw words, byte for byte."""
    return DecisionRecord(decision, reason, raw=turn, standalone=turn, confidence=confidence)
