"""Progress of a long command: a bar on a terminal, nothing in a pipe."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cli.view.output import terminal, to_terminal


@contextmanager
def progress_bar(total: int, done: int) -> Iterator[Callable[[], None]]:
    """Show a bar that starts at `done`; the yielded function advances it by one."""
    if not to_terminal():
        yield lambda: None
        return
    columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal(), transient=True) as progress:
        bar = progress.add_task("ask", total=total, completed=done)
        yield lambda: progress.advance(bar)
