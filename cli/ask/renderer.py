"""What shows the events of a turn."""

from typing import Protocol

from parley.gateway.v1 import event_pb2


class Renderer(Protocol):
    """Shows the events of one turn."""

    def show(self, event: event_pb2.Event) -> None:
        """The next event."""
        ...

    def close(self) -> None:
        """The turn is over, well or not."""
        ...
