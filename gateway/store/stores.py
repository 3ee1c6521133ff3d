"""The stores of a gateway, as one value."""

from dataclasses import dataclass

from gateway.store.event_log import EventLog
from gateway.store.recordings import RecordingStore
from gateway.store.retries import RetryStore
from gateway.store.sessions import Expiring, SessionData, SessionStore


@dataclass(frozen=True, slots=True)
class Stores:
    """All that a gateway stores."""

    sessions: SessionStore
    retries: RetryStore
    recordings: RecordingStore
    events: EventLog

    @property
    def session_data(self) -> tuple[SessionData, ...]:
        """Whatever has to go with a session, apart from its turns."""
        return (self.retries, self.recordings, self.events)

    @property
    def expiring(self) -> tuple[Expiring, ...]:
        """Whatever is deleted by limits of its own."""
        return (self.retries, self.recordings, self.events)
