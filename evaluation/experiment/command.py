"""`parley experiment`: run whole conversations and record in files how each answer came about; blocks until done."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from cli.connection.gateway_connection import HOST, PORT, Host, Port, complain, gateway_channel
from cli.view.output import tell

app = typer.Typer(name="experiment", help="Run whole conversations, and record how each answer came about.")


@app.callback()
def experiment() -> None:
    """One command for each way of rewriting."""


@app.command()
def mmr(
    data: Annotated[
        Path,
        typer.Option(
            help="Checkout of MTRAG, or a folder of <domain>.<set>.tasks.jsonl.gz and <domain>.passages.jsonl.gz."
        ),
    ],
    domain: Annotated[str, typer.Option(help="The domain, which is also the name of the collection.")],
    num_sentences: Annotated[
        int, typer.Option(help="Number of sentences of the history to select.", min=1, max=50)
    ] = 5,  # Conv-RAG's; bounds of the contract
    out: Annotated[
        Path, typer.Option(help="Folder for datasets/ and intermediate/; a run that it contains is continued.")
    ] = Path(),
    set_name: Annotated[
        str, typer.Option("--set", help="The set of tasks; MTRAG's own files are of one set.")
    ] = "mtrag_human",
    conversations: Annotated[int, typer.Option(help="Only this many conversations; 0 for all.", min=0)] = 0,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Rewrite each turn from sentences of its history chosen by clusters and marginal relevance (MMR), and answer it.

    A language model rewrites the turn, and its wording is searched; without one the experiment does not start.

    Writes a line per turn into datasets/<domain>.mmr-<n>.jsonl and intermediate/<domain>.mmr-<n>.jsonl. The answers
    become the history of the next turn. Started again, it continues after the last turn that both files contain.
    """
    # Imported here: only this command needs the reader, sender and progress bar.
    from evaluation.experiment.running import ExperimentJob, run_experiment
    from evaluation.turn_events import Progress

    progress = Progress()
    with gateway_channel(host, port) as channel:
        try:
            run_experiment(channel, ExperimentJob(data, domain, num_sentences, out, set_name, conversations), progress)
        finally:
            remaining = progress.turns - progress.there - progress.asked
            tell(f"asked {progress.asked:,}, already present {progress.there:,}, left {remaining:,}")
            for reason, count in Counter(progress.problems).most_common():
                complain(f"Fell back to a simpler method {count:,} times: {reason}")
