"""A question as the intent stage receives it, with everything known about it; a probe is a shallow search's result."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from libs.contracts.conversation import ConversationView, Speaker, TurnKind, TurnReading
from libs.contracts.evidence import Evidence
from libs.contracts.options import Setting
from libs.contracts.query import DecisionRecord
from libs.contracts.stages.intent import UnderstandRequest
from libs.contracts.understanding import Understanding
from libs.language.turns.reader import joined, read_turn, with_readings
from libs.runtime.errors import InvalidInput

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Question:
    """The last turn with its condensing record, the conversation, a probe's evidence, and the user's time and place."""

    text: str
    now: datetime
    """Aware, in the user's time zone."""
    record: DecisionRecord | None = None
    view: ConversationView = field(default_factory=ConversationView)
    probe: tuple[Evidence, ...] = ()
    place: str = ""
    understood: Understanding | None = None
    """The understanding of the same turn with a different standalone question."""
    languages: tuple[str, ...] = ()
    """Those of the collection, that of most documents first."""
    given_reading: TurnReading | None = None
    """How the turn was read where it entered; None: it is read here."""

    @property
    def reading(self) -> TurnReading:
        """The reading of the turn, as given; made here for a caller that gave none."""
        return self.given_reading or read_turn(self.text, with_readings(self.view))

    @property
    def standalone(self) -> str:
        """The standalone question; the matter of the last turn if there is none."""
        return (self.record.question if self.record else "") or self.reading.text or self.text

    @property
    def language(self) -> str:
        """The language of the last turn, ISO 639-1; if that is uncertain, of the one before it."""
        return self.reading.language

    @property
    def picked(self) -> str:
        """The offered options that the whole turn picks, joined; empty for none."""
        reading, offered = self.reading, self.view.offered_choices
        is_whole = bool(reading.picks) and not reading.picking and set(reading.picks) <= set(offered)
        return joined(reading.picks, reading.language) if is_whole else ""

    @property
    def asks_nothing(self) -> bool:
        """Whether the turn is a correction that does not say what was meant."""
        return self.reading.kind is TurnKind.CORRECTION and not self.reading.text

    @property
    def history(self) -> tuple[str, ...]:
        """All earlier messages, oldest first; begins with the summary if there is one."""
        summary = (self.view.summary,) if self.view.summary else ()
        return (*summary, *(message.text for message in self.view.messages))

    @property
    def named(self) -> str:
        """What was said before and may be meant; empty after nothing but courtesies."""
        users = (message for message in self.view.messages if message.speaker is Speaker.USER)
        is_named = self.view.summary or any(user.reading is None or user.reading.text for user in users)
        return "\n".join(self.history) if is_named else ""

    @property
    def previous_user_turn(self) -> str:
        """The user turn before this one; empty for none."""
        turns = (message.text for message in reversed(self.view.messages) if message.speaker is Speaker.USER)
        return next(turns, "")


def question_of(request: UnderstandRequest, clock: Clock) -> Question:
    """Return a request's question at the user's current time.

    Raises:
        InvalidInput: the time zone does not exist.
    """
    return Question(
        text=request.question,
        now=moment_of(request.setting, clock),
        record=request.record,
        view=request.view,
        probe=request.probe,
        place=request.setting.place,
        understood=request.understood,
        languages=request.languages,
        given_reading=request.reading or read_turn(request.question, with_readings(request.view)),
    )


def moment_of(setting: Setting, clock: Clock) -> datetime:
    """Return the user's current time, in the user's time zone.

    Raises:
        InvalidInput: the time zone does not exist, or the time is not in its calendar.
    """
    now = setting.now or clock()
    if not setting.time_zone:
        return now.astimezone(UTC)
    try:
        return now.astimezone(ZoneInfo(setting.time_zone))
    except (KeyError, ValueError, OSError):
        raise InvalidInput("setting.time_zone", "The time zone must be an IANA name, such as Europe/Berlin.") from None
    except OverflowError:
        raise InvalidInput("setting.now", "The time is not between the years 1 and 9999 in its zone.") from None


def system_clock() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)
