"""Progress of a long run on the terminal: how many of its questions have been asked."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cli.view.output import terminal, to_terminal


def progress_bar() -> Progress:
    """Return a bar, for its `track`, that vanishes at the end; in a pipe it is not drawn."""
    columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=terminal(), transient=True, disable=not to_terminal())
