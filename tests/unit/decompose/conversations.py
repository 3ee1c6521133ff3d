"""Short ways to write a conversation down."""

from libs.contracts.conversation import ConversationView
from libs.language.turns.reader import with_readings
from services.decompose.history import Exchange, HistoryWindow
from tests.fakes.conversations import view_of

Said = str | tuple[str, str]
"""A user turn, with its answer where one matters."""


def conversation(*turns: Said) -> HistoryWindow:
    """A window over these turns, the oldest first."""
    return HistoryWindow(tuple(Exchange(turn) if isinstance(turn, str) else Exchange(*turn) for turn in turns))


REFUND = ("What's our refund window?", "Refunds are possible for 30 days after delivery.")
VIKING = ("When did Viking 1 land on Mars?", "Viking 1 landed on Mars on July 20, 1976.")


def seen(window: HistoryWindow, options: tuple[str, ...] = ()) -> ConversationView:
    """The conversation of a window, as a turn is read after it; its newest answer offered the options."""
    texts = [text for each in window.exchanges for text in (each.question, each.answer)]
    return with_readings(view_of(*texts, offered_choices=options))
