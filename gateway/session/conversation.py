"""The trimmed view of a conversation that stages read. Pure; numbers that name no source are chosen by hand."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker, TurnKind, TurnReading
from libs.contracts.session import Outcome, SessionContext, Turn
from libs.contracts.stages.retrieve import EarlierRanking
from libs.language.known import ENGLISH
from libs.language.turns.reader import with_readings
from libs.text.sentences import newest_sentences

WHOLE_TURNS: Final = 6
"""Number of newest turns that a view contains in full; of older turns it contains only the questions."""
SEARCHED_BESIDE: Final = 2
"""Number of newest turns whose passages a search recalls; older ones changed nothing (docsqa)."""
SUMMARY_CHARACTERS: Final = 2000
"""Maximum length of the summary of older questions; its newest sentences are kept, whole."""
_SPLIT_IN: Final = ENGLISH
"""Language in whose sentences a summary is cut: one for all turns, so that it does not matter how often it is cut."""
LISTED_CHARACTERS: Final = 100  # of a listed line, longer ones are cut (taste)


def view_of(context: SessionContext) -> ConversationView:
    """Return the view of a conversation: the newest turns in full, older questions as a summary."""
    exchanges = [*exchanges_of(context.prior), *map(_exchange_of, context.turns)]
    return _view(ConversationView(), exchanges, context.turns[-1] if context.turns else None)


def view_after(view: ConversationView, turn: Turn) -> ConversationView:
    """Return the view of a conversation after one more turn, given the view before it.

    It equals `view_of` the whole conversation, and costs the same for a long conversation as for a short one.
    """
    return _view(view, [*exchanges_of(view.messages), _exchange_of(turn)], turn)


def said_in(turn: Turn) -> ConversationView:
    """Return a view of one turn alone, without what it found."""
    return ConversationView(tuple(replace(message, passages=()) for message in _exchange_of(turn)))


def earlier_rankings(view: ConversationView, reading: TurnReading) -> tuple[EarlierRanking, ...]:
    """Return what the latest turns with known passages found, the newest first.

    Without the latest one, if the turn of this reading replaces it.
    """
    exchanges = [exchange for exchange in exchanges_of(view.messages) if not _wants_form(exchange[0].reading)]
    searched = exchanges[:-1] if reading.replaces_question else exchanges
    newest_first = chain.from_iterable(reversed(exchange) for exchange in reversed(searched))
    return tuple(EarlierRanking(message.passages) for message in newest_first if message.passages)[:SEARCHED_BESIDE]


def listed_question(question: str) -> str:
    """Return a session's first question as listings show it: on one line, cut at `LISTED_CHARACTERS`."""
    line = on_one_line(question)
    return line if len(line) <= LISTED_CHARACTERS else f"{line[: LISTED_CHARACTERS - 1].rstrip()}…"


def on_one_line(text: str) -> str:
    """Return a text without white space at its ends, and with one space for every other run of it."""
    return " ".join(text.split())


def _view(before: ConversationView, exchanges: Sequence[list[HistoryMessage]], newest: Turn | None) -> ConversationView:
    """Return a view of exchanges that follow the summary of an earlier view.

    All are read, also those that are left out: a turn in no certain language is in that of the turn before it.

    Args:
        before: the view whose summary comes first.
        exchanges: those after the summary, oldest first.
        newest: the last turn of the conversation; None if it has none.
    """
    read = with_readings(ConversationView(tuple(chain.from_iterable(exchanges))))
    exchanges = list(exchanges_of(read.messages))
    older, recent = exchanges[:-WHOLE_TURNS], exchanges[-WHOLE_TURNS:]
    older_questions = [message.text for exchange in older for message in exchange if message.speaker is Speaker.USER]
    summary = before.summary.splitlines() if before.first_turn else []
    asked_back = newest is not None and newest.outcome is Outcome.ASKED
    understanding = newest.understanding if newest is not None and asked_back else None
    return ConversationView(
        messages=tuple(_with_latest_rankings([*chain.from_iterable(recent)])),
        summary=newest_sentences((*summary, *older_questions), SUMMARY_CHARACTERS, _SPLIT_IN),
        offered_choices=understanding.question_supplement.supply_choices if understanding else (),
        first_turn=before.first_turn + len(older_questions),
        asked_back=asked_back,
    )


def _with_latest_rankings(messages: Sequence[HistoryMessage]) -> Iterator[HistoryMessage]:
    """Yield the messages; only the newest ones with passages keep them, since nobody reads the others'."""
    with_passages = [place for place, message in enumerate(messages) if message.passages]
    read = set(with_passages[-SEARCHED_BESIDE:])
    for place, message in enumerate(messages):
        yield message if place in read else replace(message, passages=())


def exchanges_of(messages: Sequence[HistoryMessage]) -> Iterator[list[HistoryMessage]]:
    """Split plain messages into exchanges, each beginning with a user's message."""
    exchange: list[HistoryMessage] = []
    for message in messages:
        if message.speaker is Speaker.USER and exchange:
            yield exchange
            exchange = []
        exchange.append(message)
    if exchange:
        yield exchange


def _exchange_of(turn: Turn) -> list[HistoryMessage]:
    standalone = turn.record.question if turn.record else ""
    messages = [HistoryMessage(Speaker.USER, turn.question, reading=turn.reading, standalone=standalone)]
    if turn.answer is not None and turn.answer.text:
        abstained = turn.outcome is Outcome.ABSTAINED
        found = () if abstained or _wants_form(turn.reading) else turn.ranking
        messages.append(HistoryMessage(Speaker.AGENT, turn.answer.text, found, abstained=abstained))
    return messages


def _wants_form(reading: TurnReading | None) -> bool:
    """Whether a turn only wants the answer before it in another form."""
    return reading is not None and reading.kind is TurnKind.FORM
