"""The tasks of the decompose stage, each the RPC of its name in `libs.contracts.stages.decompose`; errors are typed."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import partial

from libs.contracts.engines import CondenseEngine, PlanEngine
from libs.contracts.stages.decompose import (
    Condensed,
    CondenseInStepsRequest,
    CondenseRequest,
    CondenseStep,
    DecomposeRequest,
    DecomposeStep,
    ReadAhead,
    ReadAheadRequest,
)
from libs.contracts.usage import Stage
from libs.engines.fallback import call_or, stream_or
from libs.llm.by_model import ByModel
from services.decompose.decomposer import Decomposer


@dataclass(frozen=True, slots=True)
class DecomposeTasks:
    """Does the RPCs of the stage, with a default decomposer, and one for each model that a request may name."""

    decomposers: ByModel[Decomposer]
    condense_plugin: CondenseEngine | None = None
    """The engine of another package; None for the built-in ones."""
    plan_plugin: PlanEngine | None = None

    async def condense(self, request: CondenseRequest) -> Condensed:
        """See CONDENSE; a request that names a model is condensed with that model."""
        decomposer, plugin = self.decomposers.of(request.model), self.condense_plugin
        if plugin is None or request.model:
            return await decomposer.condense(request)
        condensed = await call_or(
            lambda: plugin.condense(request), lambda: decomposer.condense(request), Stage.DECOMPOSE, "condense"
        )
        return await decomposer.with_query(request, condensed)

    def condense_in_steps(self, request: CondenseInStepsRequest) -> AsyncGenerator[CondenseStep, None]:
        """See CONDENSE_IN_STEPS."""
        if self.condense_plugin is None or request.condense.model:
            decomposer = self.decomposers.of(request.condense.model)
            return decomposer.condense_in_steps(request.condense, request.plan and self.plan_plugin is None)
        return self._in_one_step(request.condense)

    def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
        """See DECOMPOSE."""
        built_in = partial(self.decomposers.default.decompose, request)
        if (plugin := self.plan_plugin) is None:
            return built_in()
        return stream_or(lambda: plugin.decompose(request), built_in, Stage.DECOMPOSE, "plan")

    async def read_ahead(self, request: ReadAheadRequest) -> ReadAhead:
        """See READ_AHEAD."""
        await self.decomposers.default.read_ahead(request.view)
        return ReadAhead()

    async def _in_one_step(self, request: CondenseRequest) -> AsyncGenerator[CondenseStep, None]:
        yield await self.condense(request)
