"""Hosts stages in this process."""

import importlib
from collections.abc import Sequence
from functools import partial

from gateway.cli.processes import DEFAULT_PORT, STAGES
from services.runtime.process import run
from services.runtime.settings import ServerSettings
from services.runtime.stage import OpenStage, serve_stages


def serve_names(names: Sequence[str], port: int | None, host: str | None, insecure: bool | None) -> None:
    """Serve the named stages on one port until told to stop; what is None is left to the settings."""
    given = {"port": port, "host": host, "insecure": insecure}

    async def main() -> None:
        settings = ServerSettings.load(
            {"port": DEFAULT_PORT + STAGES.index(names[0])},
            **{name: value for name, value in given.items() if value is not None},
        )
        await serve_stages(settings, [_opener(name, settings, names) for name in names])

    run(main)


def _opener(name: str, settings: ServerSettings, hosted: Sequence[str]) -> OpenStage:
    if name == "gateway":
        return partial(importlib.import_module("gateway.stage").open_stage, settings, hosted)
    opener: OpenStage = importlib.import_module(f"services.{name}.stage").open_stage
    return opener
