"""Hosts stages in this process; a gateway among them calls the others without a network.

python -m cli.serving NAME … [--host HOST] [--port PORT] [--insecure]
"""

import importlib
import sys
from collections.abc import Sequence
from functools import partial
from itertools import takewhile

from cli.processes import STAGES, port_of
from libs.runtime.local import LocalServices
from libs.runtime.process import run
from libs.runtime.settings import ServerSettings
from libs.runtime.stage import OpenStage, serve_stages


def serve_names(names: Sequence[str], port: int | None, host: str | None, insecure: bool | None) -> None:
    """Serve the named stages on one port until stopped; a None leaves the option to the settings."""
    given = {"port": port, "host": host, "insecure": insecure}
    overrides = {name: value for name, value in given.items() if value is not None}
    run(lambda: _serve(names, ServerSettings.load({"port": port_of(names)}, **overrides)))


def main(arguments: Sequence[str]) -> None:
    """Serve the stages that a process's own arguments name."""
    names = list(takewhile(lambda argument: not argument.startswith("-"), arguments))
    run(lambda: _serve(names, ServerSettings.from_args(arguments[len(names) :], port=port_of(names))))


async def _serve(names: Sequence[str], settings: ServerSettings) -> None:
    in_order = [name for name in STAGES if name in names]
    local = LocalServices()
    await serve_stages(settings, [_opener(name, settings, in_order, local) for name in in_order], local)


def _opener(name: str, settings: ServerSettings, hosted: Sequence[str], local: LocalServices) -> OpenStage:
    if name == "gateway":
        return partial(importlib.import_module("gateway.stage").open_stage, settings, hosted, local)
    opener: OpenStage = importlib.import_module(f"services.{name}.stage").open_stage
    return opener


if __name__ == "__main__":
    main(sys.argv[1:])
