"""Settings of the timeline stage, read from the environment (PARLEY_TIMELINE_...)."""

from pydantic import Field

from libs.engines.catalog import ENGINE_NAME
from libs.runtime.settings import AreaSettings, Tuned
from services.timeline.duplicates import DUPLICATE


class TimelineSettings(AreaSettings, area="timeline"):
    """Number of events, thresholds for merging two descriptions of an event, and the engine that chooses events."""

    max_events: Tuned[int] = Field(default=30, ge=1, le=500)  # taste
    """Maximum number of events if the request sets none; fits on a screen or two."""
    duplicate_likeness: Tuned[float] = Field(default=DUPLICATE, gt=0, le=1)
    """Minimum cosine of the words of two descriptions with compatible dates to merge them into one event."""
    engine: str = Field(default="auto", pattern=ENGINE_NAME)
    """The engine of the timeline. `auto`: the rules date and order events, the language model, if one is configured,
    chooses and words them; `llm`, `rules`, or the name of an engine of another package, which `auto` replaces if it
    fails."""
