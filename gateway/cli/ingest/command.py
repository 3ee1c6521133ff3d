"""`parley ingest`: files into a collection."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.door import HOST, PORT, Host, Port, complain, gateway_channel
from gateway.cli.output import tell


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files (md, txt, jsonl), or folders of them.")],
    collection: Annotated[str, typer.Option(help='Made when it is not there; "default" when absent.')] = "",
    whole: Annotated[bool, typer.Option("--whole", help="Each text is one passage and keeps its id.")] = False,
    vectors: Annotated[
        Path | None,
        typer.Option(help="A .npy file, row i for line i of the one .jsonl; implies --whole.", show_default=False),
    ] = None,
    vectors_model: Annotated[
        str, typer.Option(help="The model that made the vectors; the suite's embedder when absent.")
    ] = "",
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Take documents in. Ends with 0 when nothing failed; a bad file does not stop the others."""
    # Imported here: readers and progress bar are for this command alone.
    from gateway.cli.ingest.running import Order, run
    from gateway.cli.ingest.tally import Tally

    tally = Tally()
    order = Order(paths, collection, whole, vectors, vectors_model)
    with gateway_channel(host, port) as channel:
        try:
            run(channel, order, tally)
        finally:
            for line in tally.complaints():
                complain(line)
            if tally.counts:
                tell(tally.summary())
    if not tally.counts:
        tell("there was nothing to ingest")
    if tally.failed:
        raise typer.Exit(1)
