"""Going on with a turn before it is known what is wanted."""

from typing import Protocol

from services.vocabulary.query import DecisionRecord
from services.vocabulary.understanding import Understanding


class LookingAhead(Protocol):
    """Goes on with a turn before it is known what is wanted."""

    async def look_ahead(self) -> None:
        """Search: the record is in the draft."""
        ...

    def suppose(self, record: DecisionRecord, understanding: Understanding, planned: bool) -> None:
        """Answer by what the rules made of the question, unseen."""
        ...

    def release(self) -> None:
        """Show that answer."""
        ...


class NothingAhead:
    """Waits for what is wanted."""

    async def look_ahead(self) -> None:
        """See LookingAhead."""

    def suppose(self, record: DecisionRecord, understanding: Understanding, planned: bool) -> None:
        """See LookingAhead."""

    def release(self) -> None:
        """See LookingAhead."""
