"""`parley key`: make API keys for callers of the gateway; their hashes go into a file, and no suite is called."""

import os
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from cli.connection.gateway_connection import CommandError, complain, complaining
from cli.view.output import tell
from gateway.identity.api_keys import new_key, read_keys

app = typer.Typer(help="Make API keys for callers of the gateway.", no_args_is_help=True)


@app.command()
def new(
    principal: Annotated[
        list[str], typer.Option("--principal", help="A principal of the key's owner; repeat it for several.")
    ],
    expires: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Day, in UTC, from which on it is not valid.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="File with the hashes of keys, to which the new one's is added.", envvar="PARLEY_AUTH_KEYS"),
    ] = None,
) -> None:
    """Print a new key, which is not kept anywhere, and add its hash to a file; without a file print its line too."""
    with complaining():
        try:
            key, entry = new_key(set(principal), expires.date() if expires else None)
        except ValueError as error:
            raise CommandError(f"--principal: {error}") from None
        if file is not None:
            _append(file, entry.line())
    tell(key)
    if file is None:
        tell(entry.line())
    else:
        complain(f"{file}: key {entry.id} added. The key itself is shown this once.")


def _append(file: Path, line: str) -> None:
    """Add a line to the file, which is made for its owner alone if there is none.

    Raises:
        CommandError: it is not a file of keys.
        OSError: it cannot be written.
    """
    try:
        if file.exists():
            read_keys(file)
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "ab") as stream:
            separator = b"" if stream.tell() == 0 or file.read_bytes().endswith(b"\n") else b"\n"
            stream.write(separator + line.encode() + b"\n")
    except ValueError as error:
        raise CommandError(f"The file cannot be used: {error}.") from None
