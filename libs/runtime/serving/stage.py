"""Hosts one or several stages in a process: their services, capabilities and start-up steps.

Every stage's folder has a `stage.py` with `open_stage`, an async context manager that yields its `StageServices`; its
`__main__` is `run_stage(open_stage, ...)`.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from libs.runtime.security.trust import TrustGate, TrustSettings
from libs.runtime.serving import reflection
from libs.runtime.serving.process import run
from libs.runtime.serving.server import Step, serve
from libs.runtime.serving.server_info import Capability
from libs.runtime.serving.service import Gate, ServiceGates, as_service
from libs.runtime.settings import ServerSettings


@dataclass(frozen=True, slots=True)
class StageServices:
    """The parts of a stage that `serve` needs."""

    name: str
    """The process's name, such as "retrieve"."""
    servicers: tuple[object, ...]
    """Generated servicers, or `Service` objects for special options."""
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


OpenStage = Callable[[], AbstractAsyncContextManager[StageServices]]


def run_stage(open_stage: OpenStage, port: int) -> None:
    """Run a stage's process: read the settings (default port: `port`), serve, drain, exit 0."""
    run(lambda: serve_stage(ServerSettings.from_args(port=port), open_stage))


async def serve_stage(settings: ServerSettings, open_stage: OpenStage) -> None:
    """Host a stage until stopped; it is closed after the last call."""
    async with open_stage() as stage:
        await serve_stages(settings, [stage])


async def serve_stages(settings: ServerSettings, stages: Sequence[StageServices]) -> None:
    """Host opened stages on one port until stopped; if several serve the same service, the first gets its calls.

    Raises:
        SettingsError: see `serve`; also if the secret of the suite cannot be read.
    """
    await serve(
        settings,
        *(servicer for stage in stages for servicer in stage.servicers),
        name="+".join(stage.name for stage in stages),
        capabilities=[capability for stage in stages for capability in stage.capabilities],
        steps=[step for step in (*(each.warm_up for each in stages), *(each.ready for each in stages)) if step],
        gate=gate_of(stages, TrustSettings()),
    )


def gate_of(stages: Sequence[StageServices], trust: TrustSettings) -> Gate:
    """Who may call the stages' services; if several serve the same service, the gate of the first counts.

    Reflection goes by the gate of a stage that has one of its own, as its callers come from outside; so does all that
    belongs to no stage, unless the suite's processes recognise each other.

    Raises:
        SettingsError: the secret of the suite cannot be read.
    """
    suite: Gate = TrustGate(trust) if trust.is_set else Gate()
    gates: dict[str, Gate] = {}
    for stage in stages:
        names = [as_service(servicer).name for servicer in stage.servicers]
        for name in (*names, *(reflection.SERVICES if stage.gate else ())):
            gates.setdefault(name, stage.gate or suite)
    own = next((stage.gate for stage in stages if stage.gate), None)
    return ServiceGates(gates, suite if trust.is_set else own or suite)
