"""The language of a turn of a conversation."""

from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from services.decompose.history import HistoryWindow


def turn_language(turn: str, window: HistoryWindow) -> str:
    """The language of a turn, ISO 639-1; a turn in no certain language is in that of the one before it."""
    language = ENGLISH
    for exchange in window.exchanges:
        language = reading_language(exchange.question, usual=language)
    return reading_language(turn, usual=language)
