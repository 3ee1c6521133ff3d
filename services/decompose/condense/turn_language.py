"""The language of a turn and its conversation."""

from libs.language.detection import reading_language
from services.decompose.history import HistoryWindow


def turn_language(turn: str, window: HistoryWindow) -> str:
    """The language whose rules read a turn; a short turn is in that of the questions before it. ISO 639-1."""
    questions = " ".join(exchange.question for exchange in window.exchanges)
    return reading_language(turn, usual=reading_language(questions))
