"""Condenses a follow-up by rules: a ladder of steps, each with its own reason and confidence.

Without a history, the turn is unchanged. Next, the ladder looks for an ellipsis or an anaphora. This comes before the
test for a standalone turn, because "how long does that refund take?" names its topic and still has an anaphora. A
standalone turn or a topic shift is left byte for byte. If the conversation has no topic, the raw words remain.
Otherwise the ladder splices the fragment into the previous question, resolves the first anaphora, or prepends the
topic. The result must pass the guards.

A language whose words are known by agreement (`libs.language.topics.anaphora`) has a ladder of its own. A turn in a
language without such words is left byte for byte; retrieval adds the history by weight.

A pick of an option of a clarifying question ("the second one", "yes", or the option's own words) becomes that option.
The confidences are chosen by hand. Nothing waits here: the analysis of a turn calls it in a thread unless it is short.
"""

from collections.abc import Sequence

from libs.contracts.query import Decision, DecisionRecord
from libs.language.topics.anaphora import Agreement, AnaphoraForms
from libs.language.topics.follow_ups import Dialogue
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.text.date_readings import ordinal_number
from libs.text.limits import MAX_QUESTION
from libs.text.tokens import content_stems, content_words, words
from services.decompose.condense import guards
from services.decompose.condense.agreement.condenser import AgreementCondenser
from services.decompose.condense.anaphora import Anaphora, ReferenceKind, find_anaphora
from services.decompose.condense.content_words import added_terms, all_names
from services.decompose.condense.ellipsis import Ellipsis, body_of, find_ellipsis
from services.decompose.condense.ellipsis_resolution import CompletedQuestion, fill_ellipsis, resolve_words
from services.decompose.condense.reading import ConversationReading, TopicShift, judge_topic_shift, turn_language
from services.decompose.condense.tidy import tidy
from services.decompose.condense.time_shift import ask_of_another_time, is_time_alone
from services.decompose.history import HistoryWindow
from services.decompose.words.domain import Domain, domain_in, is_among
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases


def pick_option(turn: str, options: Sequence[str], language: str) -> str | None:
    """Return the offered option that a turn picks; None if it picks none or is ambiguous."""
    dialogue = Dialogue.of(language)
    content = [word for word in words(turn, language) if word not in dialogue.option_words]
    if len(content) == 1 and (position := _position(content[0], len(options), language)) is not None:
        return options[position]
    if len(content) == 1 and content[0] in dialogue.acceptances:
        return options[0] if len(options) == 1 else None
    stems = set(content_stems(body_of(turn, language), language))
    matching = [option for option in options if stems and stems <= set(content_stems(option, language))]
    exact = [option for option in options if stems and stems == set(content_stems(option, language))]
    matches = exact or matching
    return matches[0] if len(matches) == 1 else None


def _position(word: str, count: int, language: str) -> int | None:
    """The index of an option by its number, letter or ordinal; None if there is none."""
    place = Dialogue.of(language).option_places.get(word)
    number = int(word) if word.isdecimal() else ordinal_number(word, language) or place
    if number == -1:
        return count - 1 if count else None
    return number - 1 if number and number <= count else None


NO_HISTORY, LEFT_OPEN = 1.0, 0.3
"""Confidence of the first turn, and of a turn whose reference the conversation does not resolve (by hand)."""


class Condenser:
    """Condenses by rules. Stateless and thread-safe."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain

    def condense(
        self, turn: str, window: HistoryWindow, options: Sequence[str] = (), language: str | None = None
    ) -> DecisionRecord:
        """Return the decision record of a turn.

        Args:
            turn: the last turn, verbatim.
            window: the conversation before it.
            options: the options that the newest answer offered, if it was a clarifying question.
            language: ISO 639-1; None to detect it.
        """
        if window.is_empty:
            return _unchanged_record(Decision.PASS, turn, "there is no conversation before it", NO_HISTORY)
        if len(turn) > MAX_QUESTION:
            return _unchanged_record(Decision.PASS, turn, "it is too long to lean on the conversation", LEFT_OPEN)
        language = language or turn_language(turn, window)
        ladder = _Ladder(domain_in(self._domain, language), turn, window, language)
        choice = pick_option(turn, options, language)
        if choice is not None and window.exchanges:
            return ladder.record_of_choice(choice)
        of_another_time = self._of_another_time(turn, window, language)
        if of_another_time is None and Agreement.of(language).pronouns:
            return AgreementCondenser(language).condense(turn, window)
        if of_another_time is None and not Grammar.of(language).wh_words:
            return _unchanged_record(Decision.PASS, turn, f'no words of the language "{language}" are known', LEFT_OPEN)
        return of_another_time or ladder.run()

    def _of_another_time(self, turn: str, window: HistoryWindow, language: str) -> DecisionRecord | None:
        """The record of a turn that asks the previous question of another time; None for another turn."""
        if not window.exchanges or not is_time_alone(turn, language):
            return None
        last = len(window.exchanges) - 1
        before = window.before(last)
        previous = self.condense(window.exchanges[last].question, before).standalone
        question = ask_of_another_time(turn, previous, language, turn_language(previous, before))
        if question is None:
            return None
        standalone = tidy(question, language)
        return DecisionRecord(
            Decision.CONDENSE,
            "it asks the previous question of another time",
            raw=turn,
            standalone=standalone,
            confidence=0.9,  # by hand
            antecedent_turn=window.first_turn + last,
            added_terms=added_terms(standalone, turn, language),
        )


class _Ladder:
    """The steps for one turn in one language."""

    def __init__(self, domain: Domain, turn: str, window: HistoryWindow, language: str) -> None:
        self._domain = domain
        self._turn = turn
        self._window = window
        self._language = language
        self._names = all_names((*window.texts(), turn), language)

    def run(self) -> DecisionRecord:
        """Run the ladder from its second step."""
        turn = self._turn
        if not body_of(turn, self._language):
            return _unchanged_record(Decision.PASS, turn, "it asks nothing", 0.9)
        rough = self._reading(self._window, [exchange.question for exchange in self._window.exchanges])
        dependence = self._find_dependence(turn, rough)
        if dependence == (None, None):
            return _standalone_record(turn, judge_topic_shift(turn, rough))
        return self._condense_dependent(turn, *dependence, self._read())

    def record_of_choice(self, choice: str) -> DecisionRecord:
        """The record of a turn that picks an option."""
        reading = self._read()
        standalone = tidy(f"{reading.frame.rstrip('?!. ')} {choice}", self._language)
        return DecisionRecord(
            Decision.CONDENSE,
            f'it picks "{choice}" of the options that were offered',
            raw=self._turn,
            standalone=standalone,
            confidence=0.95,
            antecedent_turn=reading.window.first_turn + len(reading.questions) - 1,
            antecedents=(choice,),
            added_terms=added_terms(standalone, self._turn, self._language),
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
        return ConversationReading(window, self._names, tuple(questions), self._domain, self._language)

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
        language = self._language
        ellipsis, anaphora = find_ellipsis(turn, language), find_anaphora(turn, language, reading.names)
        if ellipsis is None and anaphora is None:
            definite = _find_definite(turn, self._domain, language)
            anaphora = definite if definite and reading.topic.names else None
        return ellipsis, anaphora

    def _checked_record(
        self, turn: str, completion: CompletedQuestion, cause: str, reading: ConversationReading
    ) -> DecisionRecord:
        standalone = tidy(completion.text, self._language)
        fault = guards.check(standalone, turn, reading.window, self._domain, self._language)
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
            added_terms=added_terms(standalone, turn, self._language),
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


def _find_definite(turn: str, domain: Domain, language: str) -> Anaphora | None:
    """Return a bare "the mission" or "the cost" in a turn that names nothing else; None if the turn names its topic.

    Deliberately conservative: at most two content words, no name, and nothing like "of …" or "that …" after the noun.
    """
    if len(content_words(turn, language)) > 2:
        return None
    phrases = find_phrases(turn, language=language)
    if any(phrase.kind is not PhraseKind.THING for phrase in phrases):
        return None
    definite = NounPhrases.of(language).definite_articles
    for phrase in phrases:
        if phrase.determiner in definite and not _is_specified(turn, phrase, language):
            kind = _kind_of_noun(phrase.text.lower(), domain, language)
            if kind is not None:
                return Anaphora(kind, turn[phrase.start : phrase.end], phrase.start, phrase.end, phrase.text.lower())
    return None


def _kind_of_noun(noun: str, domain: Domain, language: str) -> ReferenceKind | None:
    """How a definite noun refers; None if it does not."""
    if is_among(noun, domain.classes, language):
        return ReferenceKind.CLASS
    return ReferenceKind.RELATION if is_among(noun, domain.relations, language) else None


def _is_specified(turn: str, phrase: Phrase, language: str) -> bool:
    """Whether a modifier after the noun specifies which one is meant."""
    following = turn[phrase.end :].lower().split()[:1]
    specifying = Grammar.of(language).prepositions | AnaphoraForms.of(language).specifying
    return not specifying.isdisjoint(following)
