"""How far a long command is: a bar on a terminal, nothing into a pipe."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cli.output import terminal, to_terminal


@contextmanager
def progress_bar(total: int, done: int) -> Iterator[Callable[[], None]]:
    """A bar that stands at `done`; what is given back moves it on by one."""
    if not to_terminal():
        yield lambda: None
        return
    columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal(), transient=True) as progress:
        bar = progress.add_task("ask", total=total, completed=done)
        yield lambda: progress.advance(bar)
