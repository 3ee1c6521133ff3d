"""Connects a command to a running suite: one channel to the gateway; failures become one line and an exit code."""

import errno
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from functools import update_wrapper
from inspect import signature
from typing import Annotated, Any, Concatenate, Final, ParamSpec

import grpc
import typer

from cli.connection.channels import TOKEN, TOKEN_FILE, authorized_channel_to
from cli.suite.processes import DEFAULT_PORT, MAX_PORT
from cli.view.output import STOPS, one_line, sentence
from libs.runtime.errors import FieldViolation, InvalidInput
from libs.runtime.settings import SettingsError
from libs.runtime.status import error_from_rpc
from parley.client.connection import Metadata
from parley.client.stubs import Stubs
from parley.retrieve.v1 import corpus_pb2

Port = Annotated[int, typer.Option(help="The gateway's port.", envvar="PARLEY_PORT", min=1, max=MAX_PORT)]
Host = Annotated[str, typer.Option(help="The gateway's host, or host:port of several gateways with commas between.")]
Principals = Annotated[
    list[str] | None, typer.Option("--principal", help="A principal of the user; repeat it for several.")
]
PORT: Final = DEFAULT_PORT
HOST: Final = "127.0.0.1"

_CREDENTIALS: Final = f" Set {TOKEN} or {TOKEN_FILE} to a token or API key that is valid."
_HINTS: Final = {
    "INTERNAL": " See the suite's logs.",
    "CREDENTIALS_MISSING": _CREDENTIALS,
    "CREDENTIALS_INVALID": _CREDENTIALS,
}
"""What a reason asks people to do."""

P = ParamSpec("P")


class CommandError(Exception):
    """An error that stops a command, as one line for people."""


def address_of(host: str, port: int) -> str:
    """Host and port as one address; hosts that are already `host:port` or several of them stay as they are."""
    if "," in host or host.count(":") == 1 or "]:" in host:
        return host
    return f"[{host.strip('[]')}]:{port}" if ":" in host else f"{host}:{port}"


@contextmanager
def complaining() -> Iterator[None]:
    """Turn an error that stops a command, also of a file or its output, into one line on standard error and code 1."""
    try:
        yield
    except (CommandError, SettingsError) as error:
        complain(sentence(str(error)))
    except OSError as error:
        if error.filename is not None:
            complain(f"The file {error.filename} cannot be used: {error.strerror}.")
        elif error.errno == errno.ENOSPC:
            complain(f"The output cannot be written: {error.strerror}.")
        else:
            raise
    else:
        return
    raise typer.Exit(1)


@contextmanager
def gateway_channel(host: str, port: int, principals: Sequence[str] | None = None) -> Iterator[grpc.Channel]:
    """Open a channel to the gateway whose calls name the principals.

    A failure inside becomes one line on standard error and exit code 1.
    """
    address = address_of(host, port)
    with complaining(), _open(address, as_principals(principals)) as channel:
        try:
            yield channel
        except grpc.RpcError as error:
            complain(explain(error, address) + _meant_collection(error, channel))
            raise typer.Exit(1) from None


def gateway_command(command: Callable[Concatenate[Stubs, P], None]) -> Callable[..., None]:
    """Make a command of a function that calls the gateway by the stubs that it is given.

    The command has the function's options, and --principal, --port and --host. Failures are as with `gateway_channel`.
    """

    def run(principal: Principals = None, port: Port = PORT, host: Host = HOST, **options: Any) -> None:
        with gateway_channel(host, port, principal) as channel:
            command(Stubs(channel), **options)  # type: ignore[call-arg]  # typer passes each option by its name

    _, *own = signature(command).parameters.values()
    *connection, _ = signature(run).parameters.values()
    run.__signature__ = signature(command).replace(parameters=[*own, *connection])  # type: ignore[attr-defined]
    return update_wrapper(run, command)


def _open(address: str, principals: Metadata) -> grpc.Channel:
    try:
        return authorized_channel_to(address, principals)
    except ValueError as error:
        raise CommandError(str(error)) from None


def paged(call: Callable[..., Any], request: Any, field: str, metadata: Metadata = ()) -> Iterator[Any]:
    """Yield the messages in a field of all pages of a listing."""
    while True:
        page = call(request, metadata=metadata)
        yield from getattr(page, field)
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def explain(error: grpc.RpcError, address: str) -> str:
    """Describe a failed call in one or two sentences."""
    parley_error = error_from_rpc(error)
    if error.code() is grpc.StatusCode.UNAVAILABLE and parley_error.is_unanswered:
        return f"No suite answers at {address}. Start one with `parley up`."
    if isinstance(parley_error, InvalidInput):
        return " ".join(dict.fromkeys(_explain_violation(violation) for violation in parley_error.violations))
    hint = _HINTS.get(parley_error.reason, "")
    return sentence(f"{parley_error.message.rstrip('.')} ({parley_error.reason})") + hint


def _meant_collection(error: grpc.RpcError, channel: grpc.Channel) -> str:
    """The name that is nearest to a collection that does not exist, as a question; empty for other errors."""
    missing = error_from_rpc(error)
    if missing.reason == "COLLECTION_NOT_FOUND":
        with suppress(grpc.RpcError):
            there = Stubs(channel).corpus.ListCollections(corpus_pb2.ListCollectionsRequest()).collections
            return meant(missing.name, (collection.name for collection in there))
    return ""


def meant(name: str, names: Iterable[str]) -> str:
    """Which of the names was likely meant, as a question behind a sentence; empty if none is like it."""
    return "".join(f" Did you mean {near!r}?" for near in get_close_matches(name, list(names), n=1))


def _explain_violation(violation: FieldViolation) -> str:
    """Describe a field violation; the field is named if the description is not a sentence of its own."""
    description = one_line(violation.description)
    if description.endswith(STOPS) or not violation.field:
        return sentence(description)
    return sentence(f"{violation.field}: {description}")


def as_principals(principals: Sequence[str] | None) -> Metadata:
    """Return metadata that names the principals.

    Raises:
        CommandError: a principal cannot be sent as metadata.
    """
    for principal in principals or ():
        if not principal.isprintable() or not principal.isascii() or not principal.strip():
            raise CommandError(f"The principal {principal!r} must be printable ASCII.")
    return tuple(("x-parley-principal", principal) for principal in principals or ())


def confirm(question: str) -> None:
    """Ask on standard error.

    Raises:
        CommandError: the answer was no.
    """
    if not typer.confirm(question, err=True):
        raise CommandError("Nothing was deleted.")


def complain(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(f"{text}\n")
