"""Records a conversation in a terminal as an image: `python -m tools.recording FILE.svg` (`make recording`).

The samples are asked, and the events of each turn are shown by the pages of `parley ask`. The image holds no time and
no path, loads nothing, and is the same each time the answers are.
"""

import io
import re
import sys
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from typing import Final

import grpc
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

from bench.samples import suite_over_samples
from cli.ask.event_renderer import EventRenderer
from cli.ask.terminal import TerminalPage
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

WIDTH: Final = 100
"""Columns."""
SESSION: Final = "mars"
FONTS: Final = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
QUESTIONS: Final = ("When did Phoenix land on Mars?", "What about the last signal?")
"""A question and a follow-up."""


class StillPage(TerminalPage):
    """A terminal's page without the line that moves while the suite works."""

    def working(self, activity: str) -> None:
        """Show nothing: the next line of the answer takes its place."""


def record(address: str) -> str:
    """The image, an SVG, of the conversation with a suite over the samples.

    Raises:
        grpc.RpcError: a turn failed.
    """
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor", highlight=False
    )
    session = f"{SESSION}-{token_hex(4)}"  # a suite that is recorded again has no such conversation yet
    with grpc.insecure_channel(address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        for question in QUESTIONS:
            console.print(Text.assemble(("$ ", "green"), (f'parley ask "{question}" --session {SESSION}', "bold")))
            _show(stub, question, session, console)
            console.print()
    return _with_own_fonts(console.export_svg(title="parley", theme=DIMMED_MONOKAI, unique_id="terminal"))


def _show(stub: gateway_pb2_grpc.GatewayServiceStub, question: str, session: str, console: Console) -> None:
    request = gateway_pb2.AskRequest(question=question, session_id=session)
    with closing(EventRenderer(StillPage(console))) as renderer:
        for response in stub.Ask(request, timeout=60):
            renderer.show(response.event)


def _with_own_fonts(image: str) -> str:
    """Return rich's image with the fonts of the reader's machine in place of those that it would load."""
    without = re.sub(r"@font-face \{.*?\}\s*", "", image, flags=re.DOTALL)
    return without.replace("Fira Code, monospace", FONTS)


def main(path: Path) -> None:
    """Record the conversation in a suite of its own."""
    with suite_over_samples() as suite:
        image = record(suite.address)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(image, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
