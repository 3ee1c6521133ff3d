"""The `parley` command.

Packages that build on this one (`evaluation`, or a user's own package) register their typer application as an entry
point of the group `parley.commands`: `eval = "evaluation.command:app"` becomes `parley eval`.
"""

from importlib.metadata import entry_points
from typing import Annotated, Final

import typer

from cli import backup, corpus, doctor, keys, models, replay, sessions
from cli.ask import command as ask
from cli.ingest import command as ingest
from cli.suite import command as suite
from cli.view import show
from cli.view.output import tell
from libs.runtime.serving.server_info import own_version

GROUP: Final = "parley.commands"


def command_line() -> typer.Typer:
    """Return the typer application with all commands, including those of installed packages."""
    app = typer.Typer(
        name="parley",
        callback=_parley,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    start, fill = (suite.up, suite.serve), (ingest.ingest, corpus.collections, corpus.documents)
    use = (corpus.search, show.show, corpus.delete, ask.ask, replay.replay)
    for command in (*start, *fill, *use, backup.backup, doctor.doctor):
        app.command()(command)
    app.add_typer(keys.app, name="key")
    app.add_typer(models.app, name="models")
    app.add_typer(sessions.app, name="sessions")
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        app.add_typer(entry.load(), name=entry.name)
    return app


def _tell_version(wanted: bool) -> None:
    if wanted:
        tell(f"parley {own_version()}")
        raise typer.Exit


def _parley(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A conversational answer engine: start it, fill it, ask it."""
