"""Read what people give to `parley ask`: files of questions, files of history, and moments."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from google.protobuf.timestamp_pb2 import Timestamp
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cli.connection.gateway_connection import CommandError
from parley.context.v1 import conversation_pb2

SPEAKERS: Final = {
    "user": conversation_pb2.SPEAKER_USER,
    "agent": conversation_pb2.SPEAKER_AGENT,
    "assistant": conversation_pb2.SPEAKER_AGENT,
}
"""Names of speakers, as chat front ends and benchmarks use them."""


class ScriptedTurn(BaseModel):
    """A turn of a conversation file."""

    model_config = ConfigDict(strict=True, frozen=True)

    question: str = Field(min_length=1)
    pro: bool = False
    now: str = ""
    note: str = ""


class _Message(BaseModel):
    model_config = ConfigDict(strict=True)

    speaker: str
    text: str = ""


T = TypeVar("T", bound=BaseModel)


def read_history(path: Path) -> list[conversation_pb2.HistoryMessage]:
    """Read messages from lines {speaker, text}; the speaker is user, agent or assistant.

    Raises:
        CommandError: a line is not such a message.
        OSError: the file cannot be read.
    """
    return [_history_message(message, where) for where, message in _lines(path, _Message)]


def read_conversation(path: Path) -> list[ScriptedTurn]:
    """Read turns from lines {question, pro?, now?, note?}; other keys are ignored.

    Raises:
        CommandError: the file has no line, or a line has no question.
        OSError: the file cannot be read.
    """
    turns = [turn for _, turn in _lines(path, ScriptedTurn)]
    if not turns:
        raise CommandError(f"There is no question in {path}.")
    return turns


def _history_message(message: _Message, where: str) -> conversation_pb2.HistoryMessage:
    speaker = SPEAKERS.get(message.speaker.lower())
    if speaker is None:
        raise CommandError(f"The speaker must be user, agent or assistant ({where}).")
    return conversation_pb2.HistoryMessage(speaker=speaker, text=message.text)


def _lines(path: Path, kind: type[T]) -> Iterator[tuple[str, T]]:
    """Yield each line's value with its file and line number; empty lines are skipped."""
    try:
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"The file {path} is not UTF-8 text.") from None
    except OSError as error:
        raise CommandError(f"The file {path} cannot be read: {error.strerror}.") from None
    for number, line in enumerate(content.split("\n"), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            yield where, _parsed(line, kind, where)


def _parsed(line: str, kind: type[T], where: str) -> T:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        field = "".join(f"{name}: " for name in first["loc"])
        raise CommandError(f"{field}{first['msg']} ({where}).") from None


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
