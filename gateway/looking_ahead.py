"""The Protocol for starting work on a turn before its question is understood."""

from typing import Protocol

from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.understanding import Understanding


class LookingAhead(Protocol):
    """Starts work on a turn before its question is understood."""

    async def look_ahead(self) -> None:
        """Prefetch the search for the record in the draft."""
        ...

    def suppose(
        self, record: DecisionRecord, understanding: Understanding, planned: bool, graph: QueryGraph | None = None
    ) -> None:
        """Start a hidden answer from the rules' results and from sub-queries that a language model planned."""
        ...

    def release(self) -> None:
        """Show the hidden answer."""
        ...


class NothingAhead:
    """Starts nothing early."""

    async def look_ahead(self) -> None:
        """See LookingAhead."""

    def suppose(
        self, record: DecisionRecord, understanding: Understanding, planned: bool, graph: QueryGraph | None = None
    ) -> None:
        """See LookingAhead."""

    def release(self) -> None:
        """See LookingAhead."""
