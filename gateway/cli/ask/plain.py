"""A turn as plain lines, for a pipe or a file: no control codes, one thing a line, each line flushed."""

from collections.abc import Sequence
from typing import TextIO

from gateway.cli.ask.page import Dated, Tone
from gateway.cli.output import one_line, printable


class PlainPage:
    """Writes to a text stream."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._in_words = False

    def question(self, text: str, note: str) -> None:
        """See `Page`."""
        self._write(f"> {one_line(text)}\n")
        if note:
            self._write(f"note: {one_line(note)}\n")

    def working(self, activity: str) -> None:
        """Nothing: a line cannot be taken back."""

    def line(self, label: str, text: str, tone: Tone = Tone.PLAIN) -> None:
        """See `Page`."""
        self.end_words()
        self._write(f"{label}: {one_line(text)}\n")

    def words(self, text: str) -> None:
        """See `Page`."""
        if not self._in_words:
            self._write("\n")
            self._in_words = True
        self._write(printable(text))

    def end_words(self) -> None:
        """See `Page`."""
        if self._in_words:
            self._write("\n\n")
            self._in_words = False

    def reference(self, number: int, title: str, date: str, url: str) -> None:
        """See `Page`."""
        self._write(f"[{number}] {', '.join(one_line(part) for part in (title, date, url) if part)}\n")

    def timeline(self, unit: str, rows: Sequence[Dated]) -> None:
        """See `Page`."""
        self._write(f"timeline{f' by {unit}' if unit else ''}:\n")
        width = max(len(row.date) for row in rows)
        for row in rows:
            mark = "*" if row.important else " "
            self._write(f"  {row.date:<{width}} {mark} {one_line(f'{row.text} {row.sources}')}\n")

    def close(self) -> None:
        """See `Page`."""
        self.end_words()

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
