"""The `parley` command."""

import typer

from gateway.cli import corpus, doctor, documents, models, serve, show, up
from gateway.cli.ask import command as ask
from gateway.cli.evaluation import command as evaluation
from gateway.cli.experiment import command as experiment
from gateway.cli.ingest import command as ingest

app = typer.Typer(
    name="parley",
    help="A conversational answer engine: start it, fill it, ask it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(up.up)
app.command()(serve.serve)
app.command("ingest")(ingest.ingest)
app.command()(corpus.collections)
app.command()(documents.documents)
app.command()(corpus.search)
app.command()(show.show)
app.command()(corpus.delete)
app.command("ask")(ask.ask)
app.command()(doctor.doctor)
app.add_typer(models.app, name="models")
app.add_typer(evaluation.app, name="eval")
app.add_typer(experiment.app, name="experiment")


def main() -> None:
    """Entry point."""
    app()


if __name__ == "__main__":
    main()
