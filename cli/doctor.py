"""`parley doctor`: what is configured, what is reachable, and which engine does which task."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import typer

from cli.connection.gateway_connection import HOST, PORT, Host, Port, complain, complaining
from cli.suite.suite_probe import SERVING, examine
from cli.view.output import one_line, tell, tell_table
from libs.runtime.extras import EXTRAS, remedy
from libs.runtime.settings import CONFIG_VARIABLE, DEFAULT_CONFIG

SECRET: Final = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)


def doctor(port: Port = PORT, host: Host = HOST) -> None:
    """Show settings, health and engines of the suite. The exit code is 0 only if all processes are SERVING."""
    for line in (*_settings(), *_extras()):
        tell(line)
    with complaining():
        processes = examine(host, port)
    rows = [(process.name, process.address, process.state, ", ".join(process.engines) or "-") for process in processes]
    tell_table(("process", "address", "health", "engines"), rows)
    missing = [process.name for process in processes if process.state != SERVING]
    if missing:
        complain(f"Not SERVING: {', '.join(missing)}. Start the suite with `parley up`.")
        raise typer.Exit(1)


def _settings() -> Iterator[str]:
    """The settings of this shell, which processes started from it inherit; secrets are not shown."""
    path = Path(os.environ.get(CONFIG_VARIABLE) or DEFAULT_CONFIG)
    yield f"settings file: {path if path.is_file() else f'none ({path} does not exist)'}"
    variables = sorted(name for name in os.environ if name.startswith("PARLEY_") and name != CONFIG_VARIABLE)
    for name in variables:
        yield one_line(f"{name}: {'set' if SECRET.search(name) else os.environ[name]}")
    if not variables:
        yield "no PARLEY_ variable is set: the defaults apply"


def _extras() -> Iterator[str]:
    """The extras that are not installed here, with the command that installs each."""
    for name, extra in EXTRAS.items():
        if not extra.is_installed:
            yield f"not installed: {remedy(name)}"
