"""Short ways to write a conversation down."""

from services.decompose.history import Exchange, HistoryWindow

Said = str | tuple[str, str]
"""A user turn, with its answer where one matters."""


def conversation(*turns: Said) -> HistoryWindow:
    """A window over these turns, the oldest first."""
    return HistoryWindow(tuple(Exchange(turn) if isinstance(turn, str) else Exchange(*turn) for turn in turns))


REFUND = ("What's our refund window?", "Refunds are possible for 30 days after delivery.")
VIKING = ("When did Viking 1 land on Mars?", "Viking 1 landed on Mars on July 20, 1976.")
