"""Conversations in short."""

from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker


def view_of(*texts: str, offered_choices: tuple[str, ...] = ()) -> ConversationView:
    """What the user and the agent said in turn; the user begins."""
    speakers = (Speaker.USER, Speaker.AGENT)
    messages = tuple(HistoryMessage(speakers[place % 2], text) for place, text in enumerate(texts))
    return ConversationView(messages, offered_choices=offered_choices)
