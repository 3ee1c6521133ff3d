"""The Protocol for starting work on a turn before its question is understood."""

from typing import Protocol

from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.understanding import Understanding


class EarlyWork(Protocol):
    """Starts work on a turn before its question is understood."""

    async def look_ahead(self) -> None:
        """Prefetch the search for the record in the draft."""
        ...

    def speculate(
        self, record: DecisionRecord, understanding: Understanding, is_planned: bool, graph: QueryGraph | None = None
    ) -> None:
        """Start a hidden answer from the rules' results and from sub-queries that a language model planned."""
        ...

    def release(self) -> None:
        """Show the hidden answer."""
        ...


class NoEarlyWork:
    """Starts nothing early."""

    async def look_ahead(self) -> None:
        """See EarlyWork."""

    def speculate(
        self, record: DecisionRecord, understanding: Understanding, is_planned: bool, graph: QueryGraph | None = None
    ) -> None:
        """See EarlyWork."""

    def release(self) -> None:
        """See EarlyWork."""
