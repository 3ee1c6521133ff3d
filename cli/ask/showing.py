"""What shows the turns of a command: JSON, a terminal or plain text; all that led to an answer, or the answer alone."""

import sys
from collections.abc import Callable

from cli.ask.event_renderer import EventRenderer
from cli.ask.full_event_renderer import FullEventRenderer
from cli.ask.jsonl import JsonLines
from cli.ask.lines import ScriptedTurn
from cli.ask.page import Page
from cli.ask.plain import PlainPage
from cli.ask.renderer import Renderer
from cli.ask.rendering import TerminalPage
from cli.output import tell, terminal, to_terminal

Begin = Callable[[ScriptedTurn], Renderer]
"""Makes what shows a turn."""


def renderers(json: bool, verbose: bool, several: bool) -> Begin:
    """What shows a turn: JSON, a terminal or plain lines. Of several turns each begins with its question."""
    if json:
        return lambda turn: JsonLines()
    page = fitting_page()
    begun: list[ScriptedTurn] = []

    def begin(turn: ScriptedTurn) -> Renderer:
        if begun:
            tell()
        begun.append(turn)
        if several:
            page.question(turn.question, turn.note)
        return FullEventRenderer(page) if verbose else EventRenderer(page)

    return begin


def fitting_page() -> Page:
    """A terminal where standard output is one, else plain text."""
    return TerminalPage(terminal()) if to_terminal() else PlainPage(sys.stdout)
