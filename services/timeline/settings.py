"""What can be set about timelines."""

from typing import Final

from pydantic import Field

from libs.llm.fallback import EngineChoice
from libs.runtime.settings import AreaSettings
from services.timeline.build import TimelineBounds
from services.timeline.candidate_list import Reach
from services.timeline.duplicates import Likeness
from services.timeline.meaning import Closeness

NONE: Final = "none"
"""In the place of an address: nobody is asked."""
_CLOSENESS: Final = Closeness()


class TimelineSettings(AreaSettings, area="timeline"):
    """How many events a timeline tells, from where on two tellings count as one, and who chooses the events."""

    max_events: int = Field(default=30, ge=1, le=500)
    """Greatest number of events, where a request doesn't say; what fits on a screen or two."""
    enough_events: int = Field(default=12, ge=0, le=500)
    """Up to so many events, less fitting ones are told too."""
    least_share: float = Field(default=0.4, ge=0, le=1)
    """Of the best event's score that further ones need once there are enough."""
    fill_share: float = Field(default=0.15, ge=0, le=1)
    """The same while there are not enough; less has little to do with the question."""
    duplicate_likeness: float = Field(default=0.9, gt=0, le=1)
    """Least cosine of the words of two tellings whose dates are compatible that makes them one event."""
    same_day_likeness: float = Field(default=0.7, gt=0, le=1)
    """The same where both tell the same day."""
    conflict_likeness: float = Field(default=0.8, gt=0, le=1)
    """Least cosine of two tellings with different dates that makes them a conflict."""
    inference: str = NONE
    """Address of the process whose model compares tellings of one day by their meaning (the retrieve stage; `parley up`
    and Compose name it); `none`: words alone are compared."""
    inference_seconds: float = Field(default=2.0, gt=0)
    """Most time it may take; after that words alone are compared, and that is said."""
    meaning_likeness: float = Field(default=_CLOSENESS.meaning, gt=0, le=1)
    """How near by meaning two tellings of one day must be to be one event, on the model's own scale: from 0, where two
    sentences have nothing in common, to 1. At .9 cosines of .904 by all-MiniLM-L6-v2, .978 by multilingual-e5-small."""
    meaning_events: int = Field(default=_CLOSENESS.events, ge=2, le=1000)
    """Most events that are embedded for one timeline, the best first; some 7 ms each on two cores."""
    engine: EngineChoice = "auto"
    """Who chooses and words the events: `auto` asks the language model where one is configured, and else the rules."""
    llm_seconds: float = Field(default=6.0, gt=0)
    """Most time the language model may take before the rules choose; keep it below the gateway's timeline_seconds."""
    llm_events: int = Field(default=20, ge=1, le=100)
    """Events that the language model is asked for at most (about 50 tokens each); for more the rules choose."""
    llm_sentences: int = Field(default=60, ge=1, le=1000)
    """Dated sentences that it reads at most, those of the best events by rules; three for each event it may tell."""
    llm_characters: int = Field(default=12_000, ge=1000)
    """Characters of sentences that it reads at most, about four a token; some 5,000 tokens with form and answer."""

    @property
    def reach(self) -> Reach:
        """How much a language model reads."""
        return Reach(self.llm_sentences, self.llm_characters)

    @property
    def closeness(self) -> Closeness:
        """As comparing by meaning takes it."""
        return Closeness(self.meaning_likeness, events=self.meaning_events)

    @property
    def bounds(self) -> TimelineBounds:
        """As the builder takes them."""
        return TimelineBounds(
            max_events=self.max_events,
            enough_events=self.enough_events,
            least_share=self.least_share,
            fill_share=self.fill_share,
            likeness=Likeness(self.duplicate_likeness, self.same_day_likeness),
            conflict=self.conflict_likeness,
        )
