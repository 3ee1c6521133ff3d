"""`parley up`: run the whole suite on this machine."""

from pathlib import Path
from typing import Annotated

import typer

from cli.connection.gateway_connection import complain, complaining
from cli.suite.processes import DEFAULT_PORT, LAYOUTS, STAGES, suite


def up(
    data: Annotated[Path, typer.Option(help="Folder of corpus, sessions, models and logs; created if missing.")] = Path(
        ".parley"
    ),
    port: Annotated[
        int, typer.Option(help="The gateway's port; the stages use the five ports after it.", min=1, max=65530)
    ] = DEFAULT_PORT,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Allow plain text on an address that other machines can reach.")
    ] = False,
    processes: Annotated[
        int,
        typer.Option(help="6: one per stage; 3: retrieve, answer, the rest; 2: answer, the rest; 1: all in one."),
    ] = len(STAGES),
    gateways: Annotated[
        int,
        typer.Option(help="Number of gateways; all but the first use the ports after the stages'.", min=1, max=8),
    ] = 1,
    web: Annotated[bool, typer.Option("--web", help="Serve the web console and gRPC-Web over HTTP as well.")] = False,
    web_port: Annotated[
        int | None,
        typer.Option(
            help="The console's port, with --web; by default PARLEY_DOORS_PORT, or 8050.",
            min=1,
            max=65535,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Start the suite's processes, keep them running, and stop them on Ctrl-C; SIGUSR1 restarts them in turn."""
    if processes not in LAYOUTS:
        complain(f"There is no layout with {processes} processes, only with {', '.join(map(str, LAYOUTS))}.")
        raise typer.Exit(2)
    # Imported here: the settings of all processes, which no other command needs.
    from cli.suite.running import run_suite

    with complaining():
        data = data.resolve()
        data.mkdir(parents=True, exist_ok=True)
        layout = suite(host, port, processes, gateways)
        raise typer.Exit(run_suite(layout, data, insecure=insecure, web=web, web_port=web_port))
