"""Makes the last turn stand alone, without a language model.

What the turn's reading decides comes first: a pick takes the place of the words that pick it, a wish for another form
asks the previous question again. Then a time, month, number or code takes the place of its like in the previous
question. Any other turn is worded by the tagger (`services.decompose.wording`), which says which words of the history
it needs, if any. A language that the tagger is not fitted to keeps the turn as it is; retrieval adds the history by
weight.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from libs.contracts.conversation import ConversationView, TurnKind, TurnReading
from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.stages.decompose import Condensed
from libs.contracts.usage import Degraded, Stage
from libs.documents.rendering import plain_words
from libs.language.detection import reading_language
from libs.language.topics.turns import TurnForms
from libs.language.turns.reader import joined, with_readings
from libs.runtime.errors import FailedPrecondition, NotSupported, ParleyError
from libs.text.limits import MAX_QUESTION
from services.decompose.condense.replacing import replace_like
from services.decompose.condense.tidy import tidy
from services.decompose.condense.time_shift import ask_of_another_time, asks_of_a_time_alone
from services.decompose.history import Exchange, HistoryWindow, read_window
from services.decompose.wording.pointers import find_pointer
from services.decompose.wording.service import Said, StandaloneWording, WordingService
from services.decompose.wording.words import LANGUAGE

SURE: Final = 1.0
"""Confidence of a first turn, and of a courtesy."""
BY_READING: Final = 0.95
"""Confidence of what the reading, or one word in place of its like, decides. By hand."""
LEFT_OPEN: Final = 0.3
"""Confidence of a turn whose words are not read. By hand."""
_plain = lru_cache(maxsize=512)(plain_words)  # taste; a conversation's answers are read again with each turn
_UNREAD = "Follow-ups are searched with their history by weight, but not worded to stand alone."


@dataclass(frozen=True, slots=True)
class Condenser:
    """Condenses without a language model; `wording` is None if no embedding model reads the conversation."""

    wording: WordingService | None = None

    async def condense(self, turn: str, window: HistoryWindow, reading: TurnReading) -> Condensed:
        """Make a turn stand alone.

        Args:
            turn: the matter of the last turn.
            window: the conversation before it.
            reading: of the turn: its language, its kind, and what it picks of what the newest answer offered.
        """
        if (record := condense_by_reading(turn, window, reading)) is not None:
            return Condensed(record)
        if reading.picking:
            return await self._with_pick(turn, window, reading)
        return await self._word(turn, window, reading.language)

    async def read_ahead(self, view: ConversationView) -> None:
        """Read the words that the next turn may need, if it is in the language of the newest one."""
        languages = [message.reading.language for message in with_readings(view).messages if message.reading]
        if self.wording is not None and languages[-1:] == [LANGUAGE]:
            with suppress(ParleyError):  # the next turn reads them, or tells why they cannot be read
                await self.wording.read(_said(read_window(view)))

    async def _with_pick(self, turn: str, window: HistoryWindow, reading: TurnReading) -> Condensed:
        """A longer turn with the picked thing in place of the words that pick it."""
        choice = joined(reading.picks, reading.language)
        named = turn.replace(reading.picking, choice, 1)
        rest = await self.condense(named, window, replace(reading, picks=(), picking=""))
        reason = f'"{reading.picking}" is "{choice}" of what the answer listed'
        record = _condensed(turn, rest.record.standalone, reason, choice)
        return replace(rest, record=replace(record, sure_standalone=rest.record.sure_standalone))

    async def _word(self, turn: str, window: HistoryWindow, language: str) -> Condensed:
        """A turn with the words that it needs of its history."""
        if self.wording is None or language != LANGUAGE:
            reason = f'no model words follow-ups in the language "{language}"'
            return Condensed(_unchanged(Decision.PASS, turn, reason, LEFT_OPEN))
        try:
            wording = await self.wording.word(turn, _said(window))
        except ParleyError as error:
            record = _unchanged(Decision.PASS, turn, "its words could not be read", LEFT_OPEN)
            by_design = isinstance(error, (FailedPrecondition, NotSupported))  # another embedding model, or none
            degraded = () if by_design else (Degraded(Stage.DECOMPOSE, error.reason, _UNREAD),)
            return Condensed(record, degraded)
        return _worded(turn, wording)


def _worded(turn: str, wording: StandaloneWording) -> Condensed:
    if not wording.stretches:
        decision = Decision.SWITCH if wording.leaves_topic else Decision.PASS
        reason = "it is about something else" if wording.leaves_topic else "it needs no word of the conversation"
        return Condensed(_unchanged(decision, turn, reason, 1 - wording.need))
    standalone = tidy(wording.text, LANGUAGE)
    sure = turn if wording.sure_text == turn else tidy(wording.sure_text, LANGUAGE)
    sure = "" if sure == standalone else sure
    reason = "it needs " + ", ".join(f'"{stretch}"' for stretch in wording.stretches)
    record = _condensed(turn, standalone, reason, *wording.stretches)
    return Condensed(replace(record, confidence=wording.need, sure_standalone=sure))


def condense_by_reading(turn: str, window: HistoryWindow, reading: TurnReading) -> DecisionRecord | None:
    """The record of a turn that its reading and the previous question decide; None for any other. Does not wait."""
    if (record := _standing_alone(turn, window, reading)) is not None or reading.picking:
        return record
    newest, language = window.exchanges[-1] if window.exchanges else Exchange(""), reading.language
    previous = newest.standalone or newest.question
    if reading.picks:
        choice = joined(reading.picks, language)
        standalone = tidy(f"{previous.rstrip('?!. ')} {choice}", language)
        return _condensed(turn, standalone, f'it picks "{choice}" of the options that were offered', choice)
    if reading.kind is TurnKind.FORM:
        return _condensed(turn, previous, "it wants the latest answer in another form")
    of_time = previous and ask_of_another_time(turn, previous, language, reading_language(previous, usual=language))
    if standalone := of_time or replace_like(turn, previous, language) or "":
        return _condensed(turn, tidy(standalone, language), "it asks the previous question of another one")
    return None


def _standing_alone(turn: str, window: HistoryWindow, reading: TurnReading) -> DecisionRecord | None:
    """The record of a turn that surely takes nothing of the conversation."""
    if window.is_empty:
        return _unchanged(Decision.PASS, turn, "there is no conversation before it", SURE)
    if len(turn) > MAX_QUESTION:
        return _unchanged(Decision.PASS, turn, "it is too long to lean on the conversation", LEFT_OPEN)
    if reading.kind is TurnKind.COURTESY:
        return _unchanged(Decision.PASS, turn, "it asks nothing", SURE)
    if asks_of_a_time_alone(turn, reading.language):
        return _unchanged(Decision.PASS, turn, "it asks of a time, whatever happened then", BY_READING)
    opening = TurnForms.of(reading.language).topic_shift.match(turn)
    if opening and find_pointer(turn[opening.end() :]) is None:
        matter = turn[opening.end() :].lstrip(" ,;:.!?–—-")
        record = _unchanged(Decision.SWITCH, turn, "it announces another topic", BY_READING)
        return replace(record, sure_standalone=tidy(matter, reading.language)) if matter else record
    return None


def _said(window: HistoryWindow) -> Sequence[Said]:
    older = [(True, line) for line in window.summary.splitlines()]
    recent = [
        said
        for exchange in window.exchanges
        for said in ((True, exchange.question), (False, _plain(exchange.answer)))
        if said[1].strip()
    ]
    return older + recent


def _condensed(turn: str, standalone: str, reason: str, *antecedents: str) -> DecisionRecord:
    return DecisionRecord(
        Decision.CONDENSE, reason, raw=turn, standalone=standalone, confidence=BY_READING, antecedents=antecedents
    )


def _unchanged(decision: Decision, turn: str, reason: str, confidence: float) -> DecisionRecord:
    """A record that leaves the turn's words byte for byte."""
    return DecisionRecord(decision, reason, raw=turn, standalone=turn, confidence=confidence)
