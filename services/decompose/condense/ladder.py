"""Condenses a follow-up by rules: a ladder of steps, each with its own reason and confidence.

Without a history, the turn is unchanged. Next, the ladder looks for an ellipsis or an anaphora. This comes before the
test for a standalone turn, because "how long does that refund take?" names its topic and still has an anaphora. A
standalone turn or a topic shift is left byte for byte. If the conversation has no topic, the raw words remain.
Otherwise the ladder splices the fragment into the previous question, resolves the first anaphora, or prepends the
topic. The result must pass the guards.

A language whose words are known by agreement (`libs.language.topics.anaphora`) has a ladder of its own. A turn in a
language without such words is left byte for byte; retrieval adds the history by weight.

What the turn's reading picks ("the second one", "yes", or an option's own words) takes the place of those words.
The confidences are chosen by hand. Nothing waits here: the analysis of a turn calls it in a thread unless it is short.
"""

from collections.abc import Sequence
from dataclasses import replace

from libs.contracts.conversation import TurnKind, TurnReading
from libs.contracts.query import Decision, DecisionRecord
from libs.language.topics.anaphora import Agreement
from libs.language.topics.grammar import Grammar
from libs.language.turns.reader import joined, read_turn
from libs.text.limits import MAX_QUESTION
from services.decompose.condense import guards
from services.decompose.condense.agreement.condenser import AgreementCondenser
from services.decompose.condense.anaphora import Anaphora, find_anaphora
from services.decompose.condense.content_words import added_terms, all_names
from services.decompose.condense.definites import find_definite
from services.decompose.condense.ellipsis import Ellipsis, find_ellipsis
from services.decompose.condense.ellipsis_resolution import CompletedQuestion, fill_ellipsis, resolve_words
from services.decompose.condense.reading import ConversationReading, TopicShift, judge_topic_shift
from services.decompose.condense.tidy import tidy
from services.decompose.condense.time_shift import ask_of_another_time, is_time_alone
from services.decompose.history import HistoryWindow
from services.decompose.plan.sentences import body_of
from services.decompose.words.domain import Domain, domain_in

NO_HISTORY, PICKED, LEFT_OPEN = 1.0, 0.95, 0.3
"""Confidence of the first turn, of a pick, and of a turn whose reference is not resolved (by hand)."""


class Condenser:
    """Condenses by rules. Stateless and thread-safe."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain

    def condense(self, turn: str, window: HistoryWindow, reading: TurnReading | None = None) -> DecisionRecord:
        """Return the decision record of a turn.

        Args:
            turn: the matter of the last turn.
            window: the conversation before it.
            reading: of the turn: its language, its kind, and what it picks of what the newest answer offered; None to
                read it here.
        """
        reading = reading or read_turn(turn, window.as_view())
        if window.is_empty:
            return _unchanged_record(Decision.PASS, turn, "there is no conversation before it", NO_HISTORY)
        if len(turn) > MAX_QUESTION:
            return _unchanged_record(Decision.PASS, turn, "it is too long to lean on the conversation", LEFT_OPEN)
        if reading.picks and reading.picking:
            return self._with_pick(turn, window, reading)
        ladder = _Ladder(domain_in(self._domain, reading.language), turn, window, reading.language)
        after = self._after_question(turn, window, reading, ladder) if window.exchanges else None
        return after or self._by_words(turn, window, ladder)

    def _after_question(
        self, turn: str, window: HistoryWindow, reading: TurnReading, ladder: "_Ladder"
    ) -> DecisionRecord | None:
        """The record of a turn that asks the previous question of another choice, form or time; None for another."""
        if (record := ladder.record_of_reading(reading)) is not None or not is_time_alone(turn, reading.language):
            return record
        before, question = window.before(len(window.exchanges) - 1), window.exchanges[-1].question
        earlier = read_turn(question, before.as_view())
        previous = self.condense(question, before, earlier).standalone
        shifted = ask_of_another_time(turn, previous, reading.language, earlier.language)
        return ladder.record_of_time(shifted) if shifted else None

    def _by_words(self, turn: str, window: HistoryWindow, ladder: "_Ladder") -> DecisionRecord:
        """The record of a turn by its own words, in its language."""
        language = ladder.language
        if Agreement.of(language).pronouns:
            return AgreementCondenser(language).condense(turn, window)
        if not Grammar.of(language).wh_words:
            return _unchanged_record(Decision.PASS, turn, f'no words of the language "{language}" are known', LEFT_OPEN)
        return ladder.run()

    def _with_pick(self, turn: str, window: HistoryWindow, reading: TurnReading) -> DecisionRecord:
        """The record of a longer turn with the picked thing in place of the words that pick it."""
        choice = joined(reading.picks, reading.language)
        named = turn.replace(reading.picking, choice, 1)
        record = self.condense(named, window, replace(reading, picks=(), picking=""))
        return replace(
            record,
            decision=Decision.CONDENSE,
            reason=f'"{reading.picking}" is "{choice}" of what the answer listed',
            raw=turn,
            confidence=PICKED,
            antecedents=(choice,),
            added_terms=added_terms(record.standalone, turn, reading.language),
        )


class _Ladder:
    """The steps for one turn in one language."""

    def __init__(self, domain: Domain, turn: str, window: HistoryWindow, language: str) -> None:
        self._domain = domain
        self._turn = turn
        self._window = window
        self.language = language
        self._names = all_names((*window.texts(), turn), language)

    def run(self) -> DecisionRecord:
        """Run the ladder from its second step."""
        turn = self._turn
        if not body_of(turn, self.language):
            return _unchanged_record(Decision.PASS, turn, "it asks nothing", 0.9)
        rough = self._reading(self._window, [exchange.question for exchange in self._window.exchanges])
        dependence = self._find_dependence(turn, rough)
        if dependence == (None, None):
            return _standalone_record(turn, judge_topic_shift(turn, rough))
        return self._condense_dependent(turn, *dependence, self._read())

    def record_of_reading(self, reading: TurnReading) -> DecisionRecord | None:
        """The record of a turn that its reading decides: a pick, or a wish for another form; None for any other."""
        if reading.picks:
            return self._record_of_choice(joined(reading.picks, self.language))
        if reading.kind is TurnKind.FORM:
            return self._record_after("it wants the latest answer in another form", self._read().frame)
        return None

    def record_of_time(self, question: str) -> DecisionRecord:
        """The record of a turn that tells only a time, by the question of it."""
        return self._record_after("it asks the previous question of another time", tidy(question, self.language))

    def _record_of_choice(self, choice: str) -> DecisionRecord:
        """The record of a turn that picks an option."""
        frame = self._read().frame
        standalone = tidy(f"{frame.rstrip('?!. ')} {choice}", self.language)
        return self._record_after(f'it picks "{choice}" of the options that were offered', standalone, (choice,))

    def _record_after(self, reason: str, standalone: str, antecedents: tuple[str, ...] = ()) -> DecisionRecord:
        """A record that completes the previous question."""
        window = self._window
        return DecisionRecord(
            Decision.CONDENSE,
            reason,
            raw=self._turn,
            standalone=standalone,
            confidence=PICKED,
            antecedent_turn=window.first_turn + len(window.exchanges) - 1,
            antecedents=antecedents,
            added_terms=added_terms(standalone, self._turn, self.language),
        )

    def _read(self) -> ConversationReading:
        """Read the conversation, condensing each user turn in order, oldest first."""
        questions: list[str] = []
        for position, exchange in enumerate(self._window.exchanges):
            earlier = self._reading(self._window.before(position), questions)
            dependence = self._find_dependence(exchange.question, earlier) if questions else (None, None)
            is_dependent = dependence != (None, None)
            questions.append(
                self._condense_dependent(exchange.question, *dependence, earlier).standalone
                if is_dependent
                else exchange.question
            )
        return self._reading(self._window, questions)

    def _reading(self, window: HistoryWindow, questions: Sequence[str]) -> ConversationReading:
        return ConversationReading(window, self._names, tuple(questions), self._domain, self.language)

    def _condense_dependent(
        self, turn: str, ellipsis: Ellipsis | None, anaphora: Anaphora | None, reading: ConversationReading
    ) -> DecisionRecord:
        """Condense a turn that depends on the conversation."""
        cause = _cause_of_dependence(ellipsis, anaphora)
        if not reading.topic.candidates:
            return _unchanged_record(Decision.CLARIFY, turn, f"{cause}, and the conversation names no topic", LEFT_OPEN)
        if ellipsis is not None:
            completion = fill_ellipsis(ellipsis, anaphora, reading)
        else:
            assert anaphora is not None
            completion = resolve_words(turn, anaphora, reading)
        return self._checked_record(turn, completion, cause, reading)

    def _find_dependence(self, turn: str, reading: ConversationReading) -> tuple[Ellipsis | None, Anaphora | None]:
        """The ellipsis and the anaphora of a turn, each None if absent."""
        language = self.language
        ellipsis, anaphora = find_ellipsis(turn, language), find_anaphora(turn, language, reading.names)
        if ellipsis is None and anaphora is None:
            definite = find_definite(turn, self._domain, language)
            anaphora = definite if definite and reading.topic.names else None
        return ellipsis, anaphora

    def _checked_record(
        self, turn: str, completion: CompletedQuestion, cause: str, reading: ConversationReading
    ) -> DecisionRecord:
        standalone = tidy(completion.text, self.language)
        fault = guards.check(standalone, turn, reading.window, self._domain, self.language)
        if fault is not None:
            reason = f"{cause}; what rules made of it was refused ({fault.reason})"
            return _unchanged_record(Decision.CLARIFY, turn, reason, LEFT_OPEN)
        antecedent = completion.antecedents[0] if completion.antecedents else None
        last = len(reading.questions) - 1
        return DecisionRecord(
            Decision.CONDENSE,
            f"{cause}: {completion.reason}",
            raw=turn,
            standalone=standalone,
            confidence=completion.confidence,
            antecedent_turn=reading.window.first_turn + (antecedent.turn if antecedent else last),
            antecedents=tuple(candidate.phrase.text for candidate in completion.antecedents),
            added_terms=added_terms(standalone, turn, self.language),
        )


def _cause_of_dependence(ellipsis: Ellipsis | None, anaphora: Anaphora | None) -> str:
    if anaphora is not None:
        return f'"{anaphora.text}" leans on the conversation'
    return f"it {ellipsis.gap.value}" if ellipsis else ""


def _standalone_record(turn: str, shift: TopicShift) -> DecisionRecord:
    decision = Decision.SWITCH if shift.shifts else Decision.PASS
    return _unchanged_record(decision, turn, shift.reason, shift.confidence)


def _unchanged_record(decision: Decision, turn: str, reason: str, confidence: float) -> DecisionRecord:
    """A record that leaves the raw words byte for byte."""
    return DecisionRecord(decision, reason, raw=turn, standalone=turn, confidence=confidence)
