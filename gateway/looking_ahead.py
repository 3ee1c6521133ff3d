"""Going on with a turn before it is known what is wanted."""

from typing import Protocol

from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.understanding import Understanding


class LookingAhead(Protocol):
    """Goes on with a turn before it is known what is wanted."""

    async def look_ahead(self) -> None:
        """Search: the record is in the draft."""
        ...

    def suppose(
        self, record: DecisionRecord, understanding: Understanding, planned: bool, graph: QueryGraph | None = None
    ) -> None:
        """Answer by what the rules made of the question, and the sub-queries that a language model planned, unseen."""
        ...

    def release(self) -> None:
        """Show that answer."""
        ...


class NothingAhead:
    """Waits for what is wanted."""

    async def look_ahead(self) -> None:
        """See LookingAhead."""

    def suppose(
        self, record: DecisionRecord, understanding: Understanding, planned: bool, graph: QueryGraph | None = None
    ) -> None:
        """See LookingAhead."""

    def release(self) -> None:
        """See LookingAhead."""
