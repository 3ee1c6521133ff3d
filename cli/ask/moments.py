"""Parse moments that people type."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from google.protobuf.timestamp_pb2 import Timestamp

from cli.connection.gateway_connection import CommandError


def moment(text: str, time_zone: str) -> Timestamp:
    """Parse an ISO 8601 moment; without an offset it is in `time_zone`, or in UTC if that is empty.

    Raises:
        CommandError: the text is not a moment, or the time zone is unknown.
    """
    try:
        parsed_moment = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"The moment {text!r} is not ISO 8601, such as 2026-02-01T09:00:00Z.") from None
    stamp = Timestamp()
    stamp.FromDatetime(
        (parsed_moment if parsed_moment.tzinfo else parsed_moment.replace(tzinfo=_zone(time_zone))).astimezone(UTC)
    )
    return stamp


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise CommandError(f"There is no time zone {name!r}; --tz takes an IANA name, such as Europe/Berlin.") from None
