"""A turn as plain text for a pipe or a file: the answer's CommonMark as it arrives, without control codes."""

from collections.abc import Sequence
from typing import Final, TextIO

from cli.ask.details import Tone
from cli.ask.event_descriptions import SourceLine, TimelineRow
from cli.view.output import one_line, printable

OPEN: Final = "\n\n"
"""Gap below text whose last line has not ended."""
ENDED: Final = "\n"
"""Gap below text whose last line has ended."""


class PlainPage:
    """Writes to a text stream. Texts may contain control characters, which are removed."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._gap = ""
        """Separates the answer's text from what is written below it."""
        self._is_blank = True
        """Whether nothing has been written above the next output."""

    def question(self, text: str, note: str) -> None:
        """Begin a turn; the note (may be empty) says what the turn demonstrates."""
        self._write(f"> {one_line(text)}\n")
        if note:
            self._write(f"note: {one_line(note)}\n")

    def working(self, activity: str) -> None:
        """Do nothing: a line in a pipe cannot be removed again."""

    def line(self, label: str, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Write a line of its own."""
        self._part()
        self._write(f"{label}: {one_line(text)}\n")

    def words(self, text: str) -> None:
        """Write a piece of the answer's CommonMark, directly after the previous piece."""
        if self._gap != OPEN:
            self._write("" if self._is_blank else "\n")
            self._gap = OPEN
        self._write(printable(text))

    def end_words(self) -> None:
        """End the answer's text."""
        if self._gap == OPEN:
            self._write("\n")
            self._gap = ENDED

    def sources(self, sources: Sequence[SourceLine]) -> None:
        """Write the sources that the answer cites, one per line."""
        self._gap = self._gap or ("" if self._is_blank else "\n")
        self._part()
        for source in sources:
            origin = ", ".join(one_line(part) for part in (source.origin, source.date) if part)
            self._write(f"[{source.number}] {one_line(source.where)}{f' — {origin}' if origin else ''}\n")

    def timeline(self, unit: str, rows: Sequence[TimelineRow]) -> None:
        """Write events in chronological order, by `unit` (such as "month"; may be empty)."""
        self._part()
        self._write(f"timeline{f' by {unit}' if unit else ''}:\n")
        width = max(len(row.date) for row in rows)
        for row in rows:
            mark = "*" if row.important else " "
            self._write(f"  {row.date:<{width}} {mark} {one_line(f'{row.text} {row.sources}')}\n")

    def close(self) -> None:
        """End the turn, whether it succeeded or not."""
        self.end_words()
        self._gap, self._is_blank = "", True

    def _part(self) -> None:
        """Write the gap below the answer's text, once."""
        gap, self._gap = self._gap, ""
        self._write(gap)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
        self._is_blank = self._is_blank and not text
