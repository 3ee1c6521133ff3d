"""The way from a command to a running suite: one channel to the gateway, failures as one line and an exit code."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Final

import grpc
import typer

from gateway.cli.processes import DEFAULT_PORT
from services.runtime.errors import InvalidInput, ParleyError
from services.runtime.status import error_from_rpc

Port = Annotated[int, typer.Option(help="The gateway's port.", envvar="PARLEY_PORT", min=1, max=65530)]
Host = Annotated[str, typer.Option(help="The gateway's host.")]
PORT: Final = DEFAULT_PORT
HOST: Final = "127.0.0.1"
MAX_MESSAGE: Final = 64 * 1024 * 1024
"""Greatest message taken from the gateway, in bytes."""

Metadata = Sequence[tuple[str, str]]


@contextmanager
def gateway_channel(host: str, port: int) -> Iterator[grpc.Channel]:
    """A channel to the gateway; a failed call within becomes one line on standard error and exit code 1."""
    limits = [("grpc.max_receive_message_length", MAX_MESSAGE), ("grpc.max_send_message_length", MAX_MESSAGE)]
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        with grpc.insecure_channel(address, options=limits) as channel:
            yield channel
    except grpc.RpcError as error:
        complain(explain(error_from_rpc(error), address))
        raise typer.Exit(1) from None


def explain(error: ParleyError, address: str) -> str:
    """One line about a failed call, for people."""
    if error.reason == "INTERNAL" and not error.from_peer:
        return f"The suite at {address} failed; its logs tell more."
    if isinstance(error, InvalidInput):
        return "; ".join(f"{v.field}: {v.description}" for v in error.violations) + f" ({error.reason})"
    hint = f" Is the suite running at {address}? `parley up` starts it." if error.reason == "UNAVAILABLE" else ""
    return f"{error.message} ({error.reason}).{hint}"


def as_principals(principals: Sequence[str]) -> Metadata:
    """Metadata that says who asks."""
    return [("x-parley-principal", principal) for principal in principals]


def complain(text: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"{text}\n")
