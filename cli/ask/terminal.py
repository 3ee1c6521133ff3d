"""A turn on a terminal: the answer block by block, its sources, a timeline drawn along a line; other lines are dim."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.status import Status
from rich.text import Text

from cli.ask.details import Tone
from cli.ask.event_descriptions import SourceLine, TimelineRow
from cli.ask.markdown import PROSE_WIDTH, THEME, BlockReader, block_text
from cli.view.output import one_line, printable

MARKER: Final = r"\[\d+\]"
MARKER_STYLE: Final = "bold cyan"
STYLES: Final = {Tone.QUIET: "dim", Tone.PLAIN: "", Tone.WARNING: "yellow"}
LABELS: Final = {"next": "→", "outcome": "■", "picture": "▣"}
MIN_WIDTH: Final = 20
"""Minimum columns of a wrapped text, however narrow the terminal is (taste)."""


class TerminalPage:
    """Writes to a console. Output is never redrawn: a block of the answer appears when it is complete."""

    def __init__(self, console: Console) -> None:
        self._console = console
        console.push_theme(THEME)
        self._reader = BlockReader()
        self._status: Status | None = None
        self._is_blank = True
        """Whether the line above is empty, or there is none."""
        self._is_answer = False
        """Whether the line above belongs to the answer."""

    def question(self, text: str, note: str) -> None:
        """See `PlainPage`."""
        self._print(Text(f"❯ {one_line(text)}", style="bold"))
        if note:
            self._print(Text(f"  {one_line(note)}", style="dim italic"))

    def working(self, activity: str) -> None:
        """Show the current activity until the next output."""
        status = Text(f"{one_line(activity)} …", style="dim", overflow="ellipsis", no_wrap=True)
        if self._status is None:
            self._status = self._console.status(status)
            self._status.start()
        else:
            self._status.update(status)

    def line(self, label: str, text: str, tone: Tone = Tone.PLAIN) -> None:
        """See `PlainPage`."""
        self.end_words()
        if self._is_answer:
            self._part()
        labelled_text = Text(f"{LABELS.get(label, f'{label}:')} {one_line(text)}", style=STYLES[tone])
        labelled_text.highlight_regex(MARKER, MARKER_STYLE)
        self._print(Text("\n").join(self._wrapped(labelled_text, self._console.width)))

    def words(self, text: str) -> None:
        """See `PlainPage`."""
        for tokens in self._reader.add(printable(text)):
            self._draw_block(block_text(tokens, self._console))

    def end_words(self) -> None:
        """See `PlainPage`."""
        for tokens in self._reader.end():
            self._draw_block(block_text(tokens, self._console))

    def sources(self, sources: Sequence[SourceLine]) -> None:
        """See `PlainPage`."""
        self._part()
        width = max(cell_len(f"[{source.number}]") for source in sources)
        for source in sources:
            text = Text(one_line(source.where))
            text.append(f" — {one_line(source.origin)}" if source.origin else "", style="blue")
            text.append(f", {one_line(source.date)}" if source.date else "", style="dim")
            number = Text(f"{f'[{source.number}]':<{width}} ", style=MARKER_STYLE)
            self._hang(number, Text(" " * (width + 1)), text, self._console.width)

    def timeline(self, unit: str, rows: Sequence[TimelineRow]) -> None:
        """See `PlainPage`."""
        self._part()
        self._print(Text(f"Timeline{f' by {unit}' if unit else ''}", style="bold"))
        dates = max(cell_len(row.date) for row in rows)
        for number, row in enumerate(rows):
            self._draw_event(row, dates, last=number == len(rows) - 1)
        self._part()

    def _draw_event(self, row: TimelineRow, dates: int, last: bool) -> None:
        """Draw a date, a mark on the timeline, and the text to the right of it."""
        words = Text(one_line(row.text), style="bold" if row.important else "")
        words.append(f" {row.sources}" if row.sources else "", style=MARKER_STYLE)
        first = Text(f" {row.date:>{dates}} {'●' if row.important else '○'} ", style="green")
        below = Text(f" {'':>{dates}} {' ' if last else '│'} ", style="green")
        self._hang(first, below, words, min(self._console.width - 1, first.cell_len + PROSE_WIDTH))

    def _hang(self, first: Text, below: Text, text: Text, columns: int) -> None:
        """Draw a text to the right of a margin, which is another one from the second line on."""
        for number, part in enumerate(self._wrapped(text, max(columns - first.cell_len, MIN_WIDTH))):
            self._print((below if number else first).copy().append_text(part))

    def close(self) -> None:
        """See `PlainPage`."""
        self.end_words()
        self._quiet()
        self._is_blank = True

    def _draw_block(self, block: Text) -> None:
        self._part()
        self._print(block)
        self._is_answer = True

    def _wrapped(self, text: Text, width: int) -> list[Text]:
        lines = list(text.wrap(self._console, width))
        for line in lines:
            line.rstrip()
        return lines

    def _part(self) -> None:
        """Write an empty line, unless the line above is empty already."""
        if not self._is_blank:
            self._print(Text())

    def _print(self, text: Text) -> None:
        self._quiet()
        self._console.print(text, soft_wrap=True)
        self._is_blank = not text.plain
        self._is_answer = False

    def _quiet(self) -> None:
        """Remove the line that shows the current activity."""
        if self._status is not None:
            self._status.stop()
            self._status = None
