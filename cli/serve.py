"""`parley serve NAME …`: serve one stage, or several in one process."""

from typing import Annotated

import typer

from cli.door import complain
from cli.processes import STAGES


def serve(
    names: Annotated[list[str], typer.Argument(help=f"Which: {', '.join(STAGES)}.")],
    port: Annotated[int | None, typer.Option(help="Port to listen on; by default the lowest of their own.")] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Allow plain text on a public address.")] = False,
) -> None:
    """Serve one stage, or several in one process on one port."""
    unknown = [name for name in names if name not in STAGES]
    if unknown:
        complain(f"There is no stage {unknown[0]!r}; there are {', '.join(STAGES)}.")
        raise typer.Exit(2)
    # Imported here: the dependencies of a server take half a second, and no other command needs them.
    from cli.serving import serve_names

    serve_names(names, port, host, insecure or None)
