"""The interface for showing the events of a turn."""

from typing import Protocol

from parley.gateway.v1 import event_pb2


class Renderer(Protocol):
    """Shows the events of one turn."""

    def show(self, event: event_pb2.Event) -> None:
        """Show the next event."""
        ...

    def close(self) -> None:
        """End the turn, whether it succeeded or not."""
        ...
