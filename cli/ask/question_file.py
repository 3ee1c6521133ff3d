"""Read what people give to `parley ask`: files of questions, files of history, and moments."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from google.protobuf.timestamp_pb2 import Timestamp

from cli.connection.gateway_connection import CommandError
from parley.context.v1 import conversation_pb2

SPEAKERS: Final = {
    "user": conversation_pb2.SPEAKER_USER,
    "agent": conversation_pb2.SPEAKER_AGENT,
    "assistant": conversation_pb2.SPEAKER_AGENT,
}
"""Names of speakers, as chat front ends and benchmarks use them."""


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """A turn of a conversation file."""

    question: str
    pro: bool = False
    now: str = ""
    note: str = ""


def read_history(path: Path) -> list[conversation_pb2.HistoryMessage]:
    """Read messages from lines {speaker, text}; the speaker is user, agent or assistant.

    Raises:
        CommandError: the file cannot be read, or a line is not such a message.
    """
    return [_message(line, where) for where, line in _objects(path)]


def read_conversation(path: Path) -> list[ScriptedTurn]:
    """Read turns from lines {question, pro?, now?, note?}; other keys are ignored.

    Raises:
        CommandError: the file cannot be read, has no line, or a line has no question.
    """
    turns = [_turn(line, where) for where, line in _objects(path)]
    if not turns:
        raise CommandError(f"There is no question in {path}.")
    return turns


def _message(line: dict[str, Any], where: str) -> conversation_pb2.HistoryMessage:
    speaker = SPEAKERS.get(str(line.get("speaker", "")).lower())
    if speaker is None:
        raise CommandError(f"The speaker must be user or agent ({where}).")
    return conversation_pb2.HistoryMessage(speaker=speaker, text=_text(line, "text", where))


def _turn(line: dict[str, Any], where: str) -> ScriptedTurn:
    question = _text(line, "question", where)
    if not question:
        raise CommandError(f"The question must be text ({where}).")
    pro = line.get("pro", False)
    if not isinstance(pro, bool):
        raise CommandError(f"The value of pro must be true or false ({where}).")
    return ScriptedTurn(question, pro, _text(line, "now", where), _text(line, "note", where))


def _text(line: dict[str, Any], key: str, where: str) -> str:
    value = line.get(key, "")
    if not isinstance(value, str):
        raise CommandError(f"The value of {key} must be text ({where}).")
    return value


def _objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each line's object with its file and line number."""
    try:
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"The file {path} is not UTF-8 text.") from None
    except OSError as error:
        raise CommandError(f"The file {path} cannot be read: {error.strerror}.") from None
    for number, line in enumerate(content.split("\n"), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            yield where, _object(line, where)


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        raise CommandError(f"The line is not JSON ({where}).") from None
    if not isinstance(value, dict):
        raise CommandError(f"The line must be a JSON object ({where}).")
    return value


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
