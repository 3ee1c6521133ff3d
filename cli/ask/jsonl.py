"""A turn as JSON lines: one line per event, holding the event message and nothing else."""

from cli.view.output import tell_json
from parley.gateway.v1 import event_pb2


class JsonLines:
    """Writes events to standard output: `{"turn_id", "seq", "<kind>": {…}}`."""

    def show(self, event: event_pb2.Event) -> None:
        """Write a line; skip an event of a kind that this version does not know."""
        if event.WhichOneof("event") is not None:
            tell_json(event)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
