"""`parley serve NAME …`: one stage, or several in one process."""

import importlib
from functools import partial
from typing import Annotated

import typer

from gateway.cli.door import complain
from gateway.cli.processes import DEFAULT_PORT, STAGES
from services.runtime.process import run
from services.runtime.settings import ServerSettings
from services.runtime.stage import OpenStage, serve_stages


def serve(
    names: Annotated[list[str], typer.Argument(help=f"Which: {', '.join(STAGES)}.")],
    port: Annotated[int | None, typer.Option(help="Port to listen on; the first one's own by default.")] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Allow plain text on an address others reach.")] = False,
) -> None:
    """Serve one stage, or several in one process on one port."""
    unknown = [name for name in names if name not in STAGES]
    if unknown:
        complain(f"no stage {unknown[0]!r}; there are {', '.join(STAGES)}")
        raise typer.Exit(2)
    given = {"port": port, "host": host, "insecure": insecure or None}

    async def main() -> None:
        settings = ServerSettings.load(
            {"port": DEFAULT_PORT + STAGES.index(names[0])},
            **{name: value for name, value in given.items() if value is not None},
        )
        await serve_stages(settings, [_opener(name, settings, names) for name in names])

    run(main)


def _opener(name: str, settings: ServerSettings, hosted: list[str]) -> OpenStage:
    if name == "gateway":
        return partial(importlib.import_module("gateway.stage").open_stage, settings, hosted)
    opener: OpenStage = importlib.import_module(f"services.{name}.stage").open_stage
    return opener
