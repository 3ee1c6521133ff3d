"""Condenses a follow-up of a language by agreement: completes an ellipsis, or replaces its anaphora.

The data of the language (`Agreement`) say which words refer and with what they agree. A turn that refers to nothing, or
whose reference the conversation does not resolve, is left byte for byte. Numbers that name no source are chosen
by hand.
"""

from collections.abc import Sequence

from libs.contracts.query import Decision, DecisionRecord
from libs.language.topics.follow_ups import Dialogue
from libs.text.anaphora import AnaphoraFinder
from libs.text.mentions import MentionReader
from services.decompose.condense.agreement.antecedents import AgreementReading, Antecedent
from services.decompose.condense.agreement.ellipsis import complete, find_fragment
from services.decompose.condense.agreement.resolve import resolve
from services.decompose.condense.content_words import added_terms
from services.decompose.condense.replacing import replace_like
from services.decompose.history import HistoryWindow

_MAX_ANAPHORA = 3  # in one turn (taste)
_ELLIPSIS = 0.7  # confidence of a completed ellipsis; by hand
STANDS_ALONE, LEFT_OPEN = 0.8, 0.3
"""Confidence of a turn that refers to nothing, and of one whose reference is not resolved."""


class AgreementCondenser:
    """Condenses turns in one language; stateless and thread-safe."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._finder = AnaphoraFinder(language)
        self._reader = MentionReader(language)

    def condense(self, turn: str, window: HistoryWindow) -> DecisionRecord:
        """Return the decision record of a turn after a conversation that is not empty."""
        questions: list[str] = []
        for position, exchange in enumerate(window.exchanges):
            earlier = AgreementReading(window.before(position), tuple(questions), self._language)
            questions.append(self._condense(exchange.question, earlier).standalone if questions else exchange.question)
        return self._condense(turn, AgreementReading(window, tuple(questions), self._language))

    def _condense(self, turn: str, reading: AgreementReading) -> DecisionRecord:
        if not reading.questions:
            return _unchanged(Decision.PASS, turn, "it stands alone", STANDS_ALONE)
        if Dialogue.of(self._language).topic_shift.match(turn):
            return _unchanged(Decision.SWITCH, turn, "it announces another topic", STANDS_ALONE)
        if (text := replace_like(turn, reading.frame, self._language)) is not None:
            return self._record(turn, text, "it replaces its like in the previous question", STANDS_ALONE, (), reading)
        return self._condense_by_words(turn, reading)

    def _condense_by_words(self, turn: str, reading: AgreementReading) -> DecisionRecord:
        """Condense a turn that is elliptical, refers to something, or stands alone."""
        fragment = find_fragment(turn, self._language)
        if fragment is not None:
            text, reason = complete(fragment, reading)
            resolved, antecedents, _ = self._resolved(text, reading)
            return self._record(turn, resolved, f"it is elliptical: {reason}", _ELLIPSIS, antecedents, reading)
        text, antecedents, confidence = self._resolved(turn, reading)
        if text != turn:
            names = ", ".join(f'"{item.mention.text}"' for item in antecedents[:1])
            return self._record(turn, text, f"it refers to {names}", confidence, antecedents, reading)
        anaphora = self._finder.find(turn, self._reader.read(turn))
        if unresolved := [item for item in anaphora if not item.reference.may_stand_alone]:
            reason = f'"{unresolved[0].text}" leans on the conversation, which names nothing that fits'
            return _unchanged(Decision.CLARIFY, turn, reason, LEFT_OPEN)
        return _unchanged(Decision.PASS, turn, "it stands alone", STANDS_ALONE)

    def _resolved(self, turn: str, reading: AgreementReading) -> tuple[str, tuple[Antecedent, ...], float]:
        """The turn with its anaphora replaced, the antecedents of the first, and the confidence."""
        antecedents: tuple[Antecedent, ...] = ()
        text, confidence = turn, STANDS_ALONE
        for _ in range(_MAX_ANAPHORA):
            anaphora = self._finder.find(text, self._reader.read(text))
            resolutions = (resolve(text, item, reading) for item in anaphora)
            resolution = next((item for item in resolutions if item and item.text != text), None)
            if resolution is None:
                break
            text, antecedents = resolution.text, antecedents or resolution.antecedents
            confidence = min(confidence, resolution.confidence)
        return text, antecedents, confidence

    def _record(
        self,
        turn: str,
        standalone: str,
        reason: str,
        confidence: float,
        antecedents: Sequence[Antecedent],
        reading: AgreementReading,
    ) -> DecisionRecord:
        last = antecedents[0].turn if antecedents else len(reading.questions) - 1
        return DecisionRecord(
            Decision.CONDENSE,
            reason,
            raw=turn,
            standalone=standalone,
            confidence=confidence,
            antecedent_turn=reading.window.first_turn + last,
            antecedents=tuple(item.mention.text for item in antecedents),
            added_terms=added_terms(standalone, turn, self._language),
        )


def _unchanged(decision: Decision, turn: str, reason: str, confidence: float) -> DecisionRecord:
    return DecisionRecord(decision, reason, raw=turn, standalone=turn, confidence=confidence)
