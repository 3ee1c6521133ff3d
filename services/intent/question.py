"""A question as the intent stage gets it, with everything known about it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from libs.contracts.conversation import ConversationView, Speaker
from libs.contracts.evidence import Evidence
from libs.contracts.options import Setting
from libs.contracts.query import DecisionRecord
from libs.contracts.understanding import Understanding
from libs.runtime.errors import InvalidInput

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Question:
    """The last turn, how it was made to stand alone, what was said before, what a probe found, when and where it is."""

    text: str
    now: datetime
    """Aware, in the asker's time zone."""
    record: DecisionRecord | None = None
    view: ConversationView = field(default_factory=ConversationView)
    probe: tuple[Evidence, ...] = ()
    place: str = ""
    understood: Understanding | None = None
    """What was understood of the turn with other stand-alone words."""

    @property
    def standalone(self) -> str:
        """The standalone question; the last turn where none was made."""
        return (self.record.standalone if self.record else "") or self.text

    @property
    def history(self) -> tuple[str, ...]:
        """All that was said before, the oldest first."""
        told = (self.view.summary,) if self.view.summary else ()
        return (*told, *(message.text for message in self.view.messages))

    @property
    def asked_before(self) -> str:
        """The user turn before this one; empty for none."""
        return self.asked[-1] if self.asked else ""

    @property
    def asked(self) -> tuple[str, ...]:
        """The user turns before this one, the oldest first."""
        return tuple(message.text for message in self.view.messages if message.speaker is Speaker.USER)


def moment_of(setting: Setting, clock: Clock) -> datetime:
    """The asker's now, in the asker's zone.

    Raises:
        InvalidInput: there is no such time zone.
    """
    now = setting.now or clock()
    if not setting.time_zone:
        return now.astimezone(UTC)
    try:
        return now.astimezone(ZoneInfo(setting.time_zone))
    except (KeyError, ValueError, OSError):
        raise InvalidInput("setting.time_zone", "The time zone must be an IANA name, such as Europe/Berlin.") from None


def system_clock() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)
