"""Write the timeline of a turn to a file, in the format of its suffix."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from google.protobuf.json_format import MessageToJson

from cli.connection.gateway_connection import CommandError
from libs.chronology.export.markdown import to_markdown
from libs.contracts.timeline import Timeline
from libs.contracts.wire.codec import from_message, to_message
from parley.context.v1 import timeline_pb2
from parley.gateway.v1 import event_pb2


def _to_icalendar(timeline: Timeline, title: str) -> str:
    from libs.chronology.export.icalendar import to_icalendar  # a library that no other output needs

    return to_icalendar(timeline, datetime.now(UTC), title)


def _to_json(timeline: Timeline, _: str) -> str:
    """The contract's JSON, which the console writes, too."""
    return MessageToJson(to_message(timeline, timeline_pb2.Timeline), ensure_ascii=False) + "\n"


FORMS: Final[Mapping[str, Callable[[Timeline, str], str]]] = {
    ".json": _to_json,
    ".md": to_markdown,
    ".ics": _to_icalendar,
}
"""By file suffix."""


@dataclass(slots=True)
class TimelineFile:
    """Keeps the timeline of a turn while it is shown, and writes it when the turn is over.

    Raises:
        CommandError: no format has the path's suffix, or the folder does not exist.
    """

    path: Path
    timeline: timeline_pb2.Timeline = field(default_factory=timeline_pb2.Timeline)

    def __post_init__(self) -> None:
        if self.path.suffix.lower() not in FORMS:
            raise CommandError(f"The name of a timeline's file must end with {', '.join(FORMS)}: {self.path}.")
        if not self.path.absolute().parent.is_dir():
            raise CommandError(f"There is no folder {self.path.parent} to write the timeline to.")

    def keep(self, events: Iterable[event_pb2.Event]) -> Iterator[event_pb2.Event]:
        """Yield the events, and keep their timeline; a later one replaces an earlier one."""
        for event in events:
            if event.HasField("timeline"):
                self.timeline = event.timeline
            yield event

    def write(self, title: str) -> None:
        """Write the file.

        Raises:
            CommandError: the turn has no events.
            OSError: the file cannot be written.
        """
        if not self.timeline.events:
            raise CommandError(f"The answer has no dated events, so nothing was written to {self.path}.")
        content = FORMS[self.path.suffix.lower()](from_message(self.timeline, Timeline), title)
        part = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        try:
            part.write_bytes(content.encode("utf-8", "replace"))
            part.replace(self.path)  # so that a full disk leaves the earlier file whole
        finally:
            part.unlink(missing_ok=True)
