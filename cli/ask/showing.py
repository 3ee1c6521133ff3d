"""How a turn is shown: as JSON, on a terminal or as plain text."""

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from cli.ask.event_renderer import EventRenderer
from cli.ask.plain import PlainPage
from cli.ask.question_file import ScriptedTurn
from cli.view.output import tell, tell_json, terminal, to_terminal
from parley.gateway.v1 import event_pb2

if TYPE_CHECKING:
    from cli.ask.terminal import TerminalPage

Show = Callable[[ScriptedTurn, Iterable[event_pb2.Event]], None]
"""Shows all events of a turn as they come."""


def show_json(turn: ScriptedTurn, events: Iterable[event_pb2.Event]) -> None:
    """Write a line `{"turn_id", "seq", "<kind>": {…}}` for each event of a kind that this version knows."""
    for event in events:
        if event.WhichOneof("event") is not None:
            tell_json(event)


class TurnPrinter:
    """Shows turns for people, one below the other."""

    def __init__(self, verbose: bool, with_questions: bool) -> None:
        self._page = fitting_page()
        self._verbose = verbose
        self._with_questions = with_questions
        self._is_first = True

    def show(self, turn: ScriptedTurn, events: Iterable[event_pb2.Event]) -> None:
        """Show a turn, below its question if that is wanted."""
        if not self._is_first:
            tell()
        self._is_first = False
        if self._with_questions:
            self._page.question(turn.question, turn.note)
        EventRenderer(self._page, self._verbose).show(events)


def fitting_page() -> "PlainPage | TerminalPage":
    """Return a terminal page if standard output is a terminal, else a plain page."""
    if not to_terminal():
        return PlainPage(sys.stdout)
    from cli.ask.terminal import TerminalPage  # a parser and a highlighter that other commands do not need

    return TerminalPage(terminal())
