"""What can be set about timelines."""

from pydantic import Field

from services.runtime.settings import AreaSettings
from services.timeline.build import Bounds
from services.timeline.duplicates import Likeness


class TimelineSettings(AreaSettings, area="timeline"):
    """How many events a timeline tells, and from where on two tellings count as one."""

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

    @property
    def bounds(self) -> Bounds:
        """As the builder takes them."""
        return Bounds(
            max_events=self.max_events,
            enough_events=self.enough_events,
            least_share=self.least_share,
            fill_share=self.fill_share,
            likeness=Likeness(self.duplicate_likeness, self.same_day_likeness),
            conflict=self.conflict_likeness,
        )
