"""Hosts one or several stages in a process: their services, capabilities and start-up steps.

Every stage's folder has a `stage.py` with `open_stage`, an async context manager that yields its `StageServices`; its
`__main__` runs it by `run_stage`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

import structlog

from libs.runtime.security.trust import TrustGate, TrustSettings
from libs.runtime.serving.liveness import serving_liveness
from libs.runtime.serving.process import run, settle, until_signal
from libs.runtime.serving.server import REFLECTION, Server
from libs.runtime.serving.server_info import Capability, own_version
from libs.runtime.serving.service import Gate, Service
from libs.runtime.settings import ServerSettings
from libs.runtime.telemetry.telemetry import Ambient, set_ambient
from libs.runtime.telemetry.telemetry_opening import configure_logs, open_telemetry

Step = Callable[[], Awaitable[None]]
_log = structlog.get_logger("parley.server")


@dataclass(frozen=True, slots=True)
class StageServices:
    """The parts of a stage that its process serves."""

    name: str
    """The process's name, such as "retrieve"."""
    services: tuple[Service, ...]
    tasks: object | None = None
    """The implementation of the stage's Protocol (`libs.contracts.stages`), for calls without a network."""
    capabilities: tuple[Capability, ...] = ()
    """The engine behind each task."""
    warm_up: Step | None = None
    """Loads what the first calls would wait for."""
    ready: Step | None = None
    """Returns once the stage's dependencies are available."""
    gate: Gate | None = None
    """Who may call its services from outside the suite; None: the suite's own processes call them."""


def run_stage(open_stage: Callable[[ServerSettings], AbstractAsyncContextManager[StageServices]], port: int) -> None:
    """Run a stage's process: read the settings (default port: `port`), serve, drain, close the stage, exit 0."""

    async def serve() -> None:
        settings = ServerSettings.from_args(port=port)
        async with open_stage(settings) as stage:
            await serve_stages(settings, [stage])

    run(serve)


async def serve_stages(settings: ServerSettings, stages: Sequence[StageServices]) -> None:
    """Host opened stages on one port until SIGTERM or SIGINT, then drain; a second signal ends the draining at once.

    If several stages serve the same service, the first gets its calls. Health is SERVING once all are warm and ready.

    Raises:
        SettingsError, BindError: see `Server.start` and `serving_liveness`; also if the secret of the suite cannot be
            read.
    """
    name = "+".join(stage.name for stage in stages)
    gate_of = gates_of(stages, TrustSettings())
    configure_logs(settings, name)
    telemetry = open_telemetry(settings, name, own_version())
    set_ambient(Ambient(telemetry))
    try:
        server = Server(
            settings,
            *(service for stage in stages for service in stage.services),
            name=name,
            capabilities=[capability for stage in stages for capability in stage.capabilities],
            telemetry=telemetry,
            gate_of=gate_of,
        )
        steps = [step for step in (*(each.warm_up for each in stages), *(each.ready for each in stages)) if step]
        async with serving_liveness(settings):
            await _serve(server, steps)
    finally:
        await asyncio.to_thread(telemetry.close)
    _log.info("stopped")


def gates_of(stages: Sequence[StageServices], trust: TrustSettings) -> Callable[[str], Gate]:
    """Who may call a service, by its full name; if several serve the same service, the gate of the first counts.

    Reflection goes by the gate of a stage that has one of its own, as its callers come from outside; so does all that
    belongs to no stage, unless the suite's processes recognise each other.

    Raises:
        SettingsError: the secret of the suite cannot be read.
    """
    suite: Gate = TrustGate(trust) if trust.is_set else Gate()
    own = next((stage.gate for stage in stages if stage.gate), None)
    others = suite if trust.is_set else own or suite
    gates = dict.fromkeys(REFLECTION, own or others)
    gates.update({service.name: stage.gate or suite for stage in reversed(stages) for service in stage.services})
    return lambda name: gates.get(name, others)


async def _serve(server: Server, steps: Sequence[Step]) -> None:
    """Get ready and serve; a signal ends the serving, or the step that is under way."""
    await server.start()
    _log.info("started", address=server.target)
    try:
        with until_signal():
            for step in steps:
                await step()
            settle()
            server.health.serving(True)
            _log.info("serving", address=server.target)
            await asyncio.Event().wait()
    finally:
        _log.info("stopping")
        await server.stop()
