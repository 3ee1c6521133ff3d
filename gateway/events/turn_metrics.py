"""Counts how turns end, and what was left out of them."""

from dataclasses import dataclass

from gateway.events.events import Completed, TurnEvent
from libs.contracts.usage import Degraded
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import ambient


@dataclass(slots=True)
class TurnMetrics:
    """The counts of one turn, in the metrics of the call that runs it."""

    is_degraded: bool = False

    def count(self, event: TurnEvent) -> None:
        """Count an event of the turn, if it is one that is counted."""
        if isinstance(event, Degraded):
            self.is_degraded = True
            ambient().telemetry.add(names.DEGRADATIONS, 1, {names.STAGE: event.stage.value, names.REASON: event.reason})
        elif isinstance(event, Completed):
            ambient().telemetry.add(
                names.TURNS, 1, {names.OUTCOME: event.outcome.value, names.IS_DEGRADED: self.is_degraded}
            )
