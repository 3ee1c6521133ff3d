"""A turn on a terminal: the answer streams in, how it came about is dim, the timeline is drawn along a line."""

import re
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.status import Status
from rich.style import Style
from rich.text import Text

from gateway.cli.ask.page import Dated, Tone
from gateway.cli.output import one_line, printable

MARKER: Final = r"\[\d+\]"
MARKER_STYLE: Final = Style(color="cyan", bold=True)
STYLES: Final = {Tone.QUIET: "dim", Tone.PLAIN: "", Tone.WARNING: "yellow"}
LABELS: Final = {"next": "→", "outcome": "■", "picture": "▣"}
LEAST_WIDTH: Final = 20
"""Columns that a timeline's text keeps however narrow the terminal is."""


class TerminalPage:
    """Writes to a console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._flow = Flow(console)
        self._status: Status | None = None

    def question(self, text: str, note: str) -> None:
        """See `Page`."""
        self._print(Text(f"❯ {one_line(text)}", style="bold"))
        if note:
            self._print(Text(f"  {one_line(note)}", style="dim italic"))

    def working(self, activity: str) -> None:
        """See `Page`."""
        if self._flow.open:
            return
        told = Text(f"{one_line(activity)} …", style="dim", overflow="ellipsis", no_wrap=True)
        if self._status is None:
            self._status = self._console.status(told)
            self._status.start()
        else:
            self._status.update(told)

    def line(self, label: str, text: str, tone: Tone = Tone.PLAIN) -> None:
        """See `Page`."""
        self.end_words()
        told = Text(f"{LABELS.get(label, f'{label}:')} {one_line(text)}", style=STYLES[tone])
        told.highlight_regex(MARKER, MARKER_STYLE)
        self._print(told)

    def words(self, text: str) -> None:
        """See `Page`."""
        if not self._flow.open:
            self._print(Text())
        self._flow.add(printable(text))

    def end_words(self) -> None:
        """See `Page`."""
        if self._flow.open:
            self._flow.end()
            self._print(Text())

    def reference(self, number: int, title: str, date: str, url: str) -> None:
        """See `Page`."""
        told = Text.assemble((f"[{number}]", MARKER_STYLE), f" {one_line(title)}")
        told.append(f" · {one_line(date)}" if date else "", style="dim")
        told.append(f" · {one_line(url)}" if url else "", style="blue")
        self._print(told)

    def timeline(self, unit: str, rows: Sequence[Dated]) -> None:
        """See `Page`."""
        self._print(Text())
        self._print(Text(f"Timeline{f' by {unit}' if unit else ''}", style="bold"))
        dates = max(cell_len(row.date) for row in rows)
        for number, row in enumerate(rows):
            self._draw(row, dates, last=number == len(rows) - 1)
        self._print(Text())

    def _draw(self, row: Dated, dates: int, last: bool) -> None:
        """A mark on the line beside its date, the words wrapped on the line's right."""
        words = Text(one_line(row.text), style="bold" if row.important else "")
        words.append(f" {row.sources}" if row.sources else "", style=MARKER_STYLE)
        width = max(self._console.width - dates - 5, LEAST_WIDTH)
        for number, part in enumerate(words.wrap(self._console, width)):
            date, mark = (row.date, "●" if row.important else "○") if number == 0 else ("", " " if last else "│")
            left = Text.assemble((f" {date:>{dates}} ", "green"), (f"{mark} ", "green"))
            part.rstrip()
            self._print(left.append_text(part))

    def close(self) -> None:
        """See `Page`."""
        self.end_words()
        self._quiet()

    def _print(self, text: Text) -> None:
        self._quiet()
        self._console.print(text)

    def _quiet(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


class Flow:
    """Words that come in pieces, wrapped at the console's width as they come; a word is shown once it is whole."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._begun = ""
        self._column = 0
        self.open = False

    def add(self, text: str) -> None:
        """The next piece; a new line in it is kept."""
        self.open = True
        *whole, self._begun = re.split(r"(?<=\s)(?=\S)", self._begun + text)
        for word in whole:
            self._put(word)
        if self._begun[-1:].isspace():
            self._put(self._begun)
            self._begun = ""

    def end(self) -> None:
        """The last word, and the end of its line."""
        self._put(self._begun)
        self._console.print()
        self._begun, self._column, self.open = "", 0, False

    def _put(self, word: str) -> None:
        """A word with the space after it."""
        bare = word.rstrip()
        if self._column and self._column + cell_len(bare) > self._console.width:
            self._console.print()
            self._column = 0
        told = Text(bare)
        told.highlight_regex(MARKER, MARKER_STYLE)
        self._console.print(told, end="", soft_wrap=True)
        self._column += cell_len(bare)
        self._space(word[len(bare) :])

    def _space(self, space: str) -> None:
        if "\n" in space:
            self._console.print("\n" * space.count("\n"), end="")
            self._column = 0
        elif space and self._column < self._console.width:
            self._console.print(" ", end="", soft_wrap=True)
            self._column += 1
