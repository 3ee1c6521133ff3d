"""Choose how a command shows its turns: JSON, a terminal or plain text, with details or the answer alone."""

import sys
from collections.abc import Callable

from cli.ask.event_renderer import EventRenderer
from cli.ask.full_event_renderer import FullEventRenderer
from cli.ask.jsonl import JsonLines
from cli.ask.plain import PlainPage
from cli.ask.question_file import ScriptedTurn
from cli.ask.renderer import Renderer
from cli.ask.rendering import TerminalPage
from cli.ask.turn_view import TurnView
from cli.view.output import tell, terminal, to_terminal

Begin = Callable[[ScriptedTurn], Renderer]
"""Creates the renderer of a turn."""


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
    return TerminalPage(terminal()) if to_terminal() else PlainPage(sys.stdout)
