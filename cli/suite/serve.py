"""`parley serve NAME …`: serve one stage, or several in one process."""

from typing import Annotated

import typer

from cli.connection.gateway_connection import complain
from cli.suite.processes import DOORS, STAGES


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
