"""The renderers of a turn's events: JSON, a terminal or plain text, with details or the answer alone."""

import sys
from collections.abc import Callable
from typing import Protocol

from cli.ask.event_renderer import EventRenderer
from cli.ask.full_event_renderer import FullEventRenderer
from cli.ask.plain import PlainPage
from cli.ask.question_file import ScriptedTurn
from cli.ask.turn_view import TurnView
from cli.view.output import tell, tell_json, terminal, to_terminal
from parley.gateway.v1 import event_pb2


class Renderer(Protocol):
    """Shows the events of one turn."""

    def show(self, event: event_pb2.Event) -> None:
        """Show the next event."""
        ...

    def close(self) -> None:
        """End the turn, whether it succeeded or not."""
        ...


Begin = Callable[[ScriptedTurn], Renderer]
"""Creates the renderer of a turn."""


class JsonLines:
    """Writes events to standard output: `{"turn_id", "seq", "<kind>": {…}}`."""

    def show(self, event: event_pb2.Event) -> None:
        """Write a line; skip an event of a kind that this version does not know."""
        if event.WhichOneof("event") is not None:
            tell_json(event)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def renderers(json: bool, verbose: bool, several: bool) -> Begin:
    """Return a factory of renderers: JSON, a terminal or plain text; with `several`, each turn shows its question."""
    if json:
        return lambda turn: JsonLines()
    page = fitting_page()
    turns: list[ScriptedTurn] = []

    def begin(turn: ScriptedTurn) -> Renderer:
        if turns:
            tell()
        turns.append(turn)
        if several:
            page.question(turn.question, turn.note)
        return FullEventRenderer(page) if verbose else EventRenderer(page)

    return begin


def fitting_page() -> TurnView:
    """Return a terminal page if standard output is a terminal, else a plain page."""
    if not to_terminal():
        return PlainPage(sys.stdout)
    from cli.ask.terminal import TerminalPage  # a parser and a highlighter that other commands do not need

    return TerminalPage(terminal())
