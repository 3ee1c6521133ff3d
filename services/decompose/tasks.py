"""The tasks of the decompose stage."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from libs.contracts.stages.decompose import (
    Condensed,
    CondenseInStepsRequest,
    CondenseRequest,
    CondenseStep,
    DecomposeRequest,
    DecomposeStep,
)
from libs.llm.offered import ByModel
from services.decompose.decomposer import Decomposer


@dataclass(frozen=True, slots=True)
class DecomposeTasks:
    """Implements `DecomposeStage` with a default decomposer, and one for each model that a request may name."""

    decomposers: ByModel[Decomposer]

    async def condense(self, request: CondenseRequest) -> Condensed:
        """Return the result of condensing the last turn.

        Raises:
            ParleyError: as `DecomposeStage.condense_in_steps`.
        """
        return await self.decomposers.of(request.model).condense(request)

    def condense_in_steps(self, request: CondenseInStepsRequest) -> AsyncGenerator[CondenseStep, None]:
        """See `DecomposeStage`."""
        return self.decomposers.of(request.condense.model).condense_in_steps(request.condense, request.plan)

    def decompose(self, request: DecomposeRequest) -> AsyncGenerator[DecomposeStep, None]:
        """See `DecomposeStage`."""
        return self.decomposers.own.decompose(request.question, request.record, request.scene)
