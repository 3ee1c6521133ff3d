"""`parley up` runs the whole suite on this machine; `parley serve NAME …` serves some stages in one process."""

from pathlib import Path
from typing import Annotated

import typer

from cli.connection.gateway_connection import complain, complaining
from cli.suite.processes import DEFAULT_PORT, DOORS, LAYOUTS, MAX_PORT, STAGES, suite


def up(
    data: Annotated[Path, typer.Option(help="Folder of corpus, sessions, models and logs; created if missing.")] = Path(
        ".parley"
    ),
    port: Annotated[
        int, typer.Option(help="The gateway's port; the stages use the five ports after it.", min=1, max=MAX_PORT)
    ] = DEFAULT_PORT,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Allow plain text on an address that other machines can reach.")
    ] = False,
    processes: Annotated[
        int, typer.Option(help="6: one per stage; 3: retrieve, answer, the rest; 2: answer, the rest; 1: all in one.")
    ] = len(STAGES),
    gateways: Annotated[
        int, typer.Option(help="Number of gateways; all but the first use the ports after the stages'.", min=1, max=8)
    ] = 1,  # at most 8 (taste)
    web: Annotated[bool, typer.Option("--web", help="Serve the web console and gRPC-Web over HTTP as well.")] = False,
    web_port: Annotated[
        int | None,
        typer.Option(help="The console's port, with --web; by default PARLEY_DOORS_PORT, or 8050.", min=1, max=65535),
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


def serve(
    names: Annotated[
        list[str], typer.Argument(help=f"Stages to serve: {', '.join(STAGES)}; or {DOORS} alone, for HTTP.")
    ],
    port: Annotated[
        int | None, typer.Option(help="Port to listen on; by default the lowest of the default ports of the stages.")
    ] = None,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; by default PARLEY_SERVER_HOST, or 127.0.0.1.")
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Allow plain text on an address that other machines can reach.")
    ] = False,
) -> None:
    """Serve one stage, or several in one process on one port; or the console and gRPC-Web over HTTP."""
    options = {"--port": port, "--host": host}
    arguments = [str(part) for name, value in options.items() if value is not None for part in (name, value)]
    arguments += ["--insecure"] if insecure else []
    # Imported here: the dependencies of a server take half a second, and no other command needs them.
    if names == [DOORS]:
        from doors.__main__ import main as doors_main
        from libs.runtime.serving.process import run

        run(lambda: doors_main(arguments))
        return
    if unknown := [name for name in names if name not in STAGES]:
        complain(f"There is no stage {unknown[0]!r}; there are {', '.join(STAGES)}.")
        raise typer.Exit(2)
    from cli.suite.serving import main

    main([*names, *arguments])
