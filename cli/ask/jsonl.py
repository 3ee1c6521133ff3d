"""A turn as JSON: one line an event, the event message itself, and nothing else."""

from cli.output import tell_json
from parley.gateway.v1 import event_pb2


class JsonLines:
    """Writes events to standard output: `{"turn_id", "seq", "<kind>": {…}}`."""

    def show(self, event: event_pb2.Event) -> None:
        """A line; an event of a kind that this version does not know is passed over."""
        if event.WhichOneof("event") is not None:
            tell_json(event)

    def close(self) -> None:
        """Nothing is left open."""
