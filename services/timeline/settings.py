"""Settings of the timeline stage."""

from typing import Final

from pydantic import Field

from libs.engines.catalog import ENGINE_NAME
from libs.runtime.settings import AreaSettings
from services.timeline.build import TimelineBounds
from services.timeline.candidate_list import Reach
from services.timeline.duplicates import Likeness
from services.timeline.paraphrases import Closeness

NONE: Final = "none"
"""Value of an address setting that switches the service off."""
_CLOSENESS: Final = Closeness()


class TimelineSettings(AreaSettings, area="timeline"):
    """Number of events, thresholds for merging two descriptions of an event, and the engine that chooses events."""

    max_events: int = Field(default=30, ge=1, le=500)
    """Maximum number of events if the request sets none; fits on a screen or two."""
    enough_events: int = Field(default=12, ge=0, le=500)
    """Up to this many events, less relevant ones are included too."""
    least_share: float = Field(default=0.4, ge=0, le=1)
    """Minimum share of the best event's score for further events once there are enough."""
    fill_share: float = Field(default=0.15, ge=0, le=1)
    """The same while there are not enough; events below it are hardly related to the question."""
    duplicate_likeness: float = Field(default=0.9, gt=0, le=1)
    """Minimum cosine of the words of two descriptions with compatible dates to merge them into one event."""
    same_day_likeness: float = Field(default=0.7, gt=0, le=1)
    """The same if both have the same day."""
    conflict_likeness: float = Field(default=0.8, gt=0, le=1)
    """Minimum cosine of two descriptions with different dates to report a conflict."""
    inference: str = NONE
    """Address of the process whose model compares descriptions of the same day by meaning (the retrieve stage; set by
    `parley up` and Compose); with `none` only words are compared."""
    inference_seconds: float = Field(default=2.0, gt=0)
    """Timeout of that comparison; after it only words are compared, which is reported as degraded."""
    meaning_likeness: float = Field(default=_CLOSENESS.meaning, gt=0, le=1)
    """Minimum similarity in meaning to merge two descriptions of the same day, on the model's own scale: from 0 for two
    unrelated sentences to 1. A value of .9 is a cosine of .904 by all-MiniLM-L6-v2, .978 by multilingual-e5-small."""
    meaning_events: int = Field(default=_CLOSENESS.events, ge=2, le=1000)
    """Maximum number of events to embed for one timeline, best first; about 7 ms each on two cores."""
    engine: str = Field(default="auto", pattern=ENGINE_NAME)
    """The engine of the timeline. `auto`: the rules date and order events, the language model, if one is configured,
    chooses and words them; `llm`, `rules`, or the name of an engine of another package, which `auto` replaces if it
    fails."""
    llm_seconds: float = Field(default=6.0, gt=0)
    """Timeout of the language model, after which the rules choose; keep it below the gateway's timeline_seconds."""
    llm_events: int = Field(default=20, ge=1, le=100)
    """Maximum number of events to request from the language model (about 50 tokens each); for more the rules choose."""
    llm_sentences: int = Field(default=60, ge=1, le=1000)
    """Maximum number of dated sentences in its prompt, those of the best events by rules; three per requested event."""
    llm_characters: int = Field(default=12_000, ge=1000)
    """Maximum characters of sentences in its prompt, about four per token; about 5,000 tokens with form and answer."""

    @property
    def reach(self) -> Reach:
        """The limits of a language model's prompt."""
        return Reach(self.llm_sentences, self.llm_characters)

    @property
    def closeness(self) -> Closeness:
        """The settings for comparison by meaning."""
        return Closeness(self.meaning_likeness, events=self.meaning_events)

    @property
    def bounds(self) -> TimelineBounds:
        """The settings for the builder."""
        return TimelineBounds(
            max_events=self.max_events,
            enough_events=self.enough_events,
            least_share=self.least_share,
            fill_share=self.fill_share,
            likeness=Likeness(self.duplicate_likeness, self.same_day_likeness),
            conflict=self.conflict_likeness,
        )
