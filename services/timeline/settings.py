"""Settings of the timeline stage, read from the environment (PARLEY_TIMELINE_...)."""

from typing import Final

from pydantic import Field

from libs.engines.catalog import ENGINE_NAME
from libs.runtime.settings import AreaSettings, Tuned
from services.timeline.duplicates import DUPLICATE
from services.timeline.paraphrases import SAME_MEANING

NONE: Final = "none"
"""Value of an address setting that switches the service off."""


class TimelineSettings(AreaSettings, area="timeline"):
    """Number of events, thresholds for merging two descriptions of an event, and the engine that chooses events."""

    max_events: Tuned[int] = Field(default=30, ge=1, le=500)  # taste
    """Maximum number of events if the request sets none; fits on a screen or two."""
    duplicate_likeness: Tuned[float] = Field(default=DUPLICATE, gt=0, le=1)
    """Minimum cosine of the words of two descriptions with compatible dates to merge them into one event."""
    inference: str = NONE
    """Address of the process whose model compares descriptions of the same day by meaning (the retrieve stage; set by
    `parley up` and Compose); with `none` only words are compared."""
    meaning_likeness: Tuned[float] = Field(default=SAME_MEANING, gt=0, le=1)
    """Minimum similarity in meaning to merge two descriptions of the same day, on the model's own scale: from 0 for two
    unrelated sentences to 1. A value of .9 is a cosine of .904 by all-MiniLM-L6-v2, .978 by multilingual-e5-small."""
    engine: str = Field(default="auto", pattern=ENGINE_NAME)
    """The engine of the timeline. `auto`: the rules date and order events, the language model, if one is configured,
    chooses and words them; `llm`, `rules`, or the name of an engine of another package, which `auto` replaces if it
    fails."""
