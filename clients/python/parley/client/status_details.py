"""Reads the details of a failed call: `google.rpc.Status` with ErrorInfo, RetryInfo, BadRequest and ResourceInfo.

The messages are declared here with the fields that the suite sends, by the numbers of `google/rpc/error_details.proto`,
so that the client needs no package beside `grpcio` and `protobuf`. Nothing is raised.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

PACKAGE: Final = "parley.client.details"
_REPEATED: Final = descriptor_pb2.FieldDescriptorProto.LABEL_REPEATED
_OPTIONAL: Final = descriptor_pb2.FieldDescriptorProto.LABEL_OPTIONAL
_TYPES: Final = {
    "int32": descriptor_pb2.FieldDescriptorProto.TYPE_INT32,
    "int64": descriptor_pb2.FieldDescriptorProto.TYPE_INT64,
    "string": descriptor_pb2.FieldDescriptorProto.TYPE_STRING,
    "bytes": descriptor_pb2.FieldDescriptorProto.TYPE_BYTES,
}
_FIELDS: Final[Mapping[str, Mapping[int, tuple[str, str]]]] = {
    "Status": {1: ("code", "int32"), 2: ("message", "string"), 3: ("details", "*Detail")},
    "Detail": {1: ("type_url", "string"), 2: ("value", "bytes")},
    "ErrorInfo": {1: ("reason", "string"), 2: ("domain", "string"), 3: ("metadata", "*Entry")},
    "Entry": {1: ("key", "string"), 2: ("value", "string")},
    "RetryInfo": {1: ("delay", "Duration")},
    "Duration": {1: ("seconds", "int64"), 2: ("nanos", "int32")},
    "BadRequest": {1: ("violations", "*Violation")},
    "Violation": {1: ("field", "string"), 2: ("description", "string")},
    "ResourceInfo": {1: ("resource_type", "string"), 2: ("resource_name", "string")},
}
"""Name and type of each field; a star marks a repeated one."""


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """A field of a request that breaks a rule."""

    field: str
    """Its path, such as `options.collection`; empty if the message as a whole is wrong."""
    description: str


@dataclass(frozen=True, slots=True)
class StatusDetails:
    """What a status says beside its code."""

    message: str = ""
    reason: str = ""
    """A name of ErrorReason without its prefix; empty if the suite did not send the status."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    retry_after: float | None = None
    """Seconds."""
    violations: tuple[FieldViolation, ...] = ()
    resource: str = ""
    """The name of what is missing or taken."""


def read_details(content: bytes) -> StatusDetails:
    """The details in the trailer `grpc-status-details-bin`; empty ones if it cannot be read."""
    try:
        status = _message("Status", content)
        parts = {detail.type_url.rpartition(".")[2]: detail.value for detail in status.details}
        info = _message("ErrorInfo", parts.get("ErrorInfo", b""))
        request = _message("BadRequest", parts.get("BadRequest", b""))
        delay = _message("RetryInfo", parts["RetryInfo"]).delay if "RetryInfo" in parts else None
        resource = _message("ResourceInfo", parts.get("ResourceInfo", b""))
    except DecodeError:
        return StatusDetails()
    return StatusDetails(
        message=status.message,
        reason=info.reason,
        metadata={entry.key: entry.value for entry in info.metadata},
        retry_after=None if delay is None else delay.seconds + delay.nanos / 1e9,
        violations=tuple(FieldViolation(each.field, each.description) for each in request.violations),
        resource=resource.resource_name,
    )


def _message(name: str, content: bytes) -> Any:
    return _classes()[name].FromString(content)


@cache
def _classes() -> Mapping[str, Any]:
    file = descriptor_pb2.FileDescriptorProto(name=f"{PACKAGE}.proto", package=PACKAGE, syntax="proto3")
    for name, fields in _FIELDS.items():
        message = file.message_type.add(name=name)
        for number, (field_name, kind) in fields.items():
            _add_field(message, number, field_name, kind)
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{PACKAGE}.{name}")) for name in _FIELDS}


def _add_field(message: descriptor_pb2.DescriptorProto, number: int, name: str, kind: str) -> None:
    added = message.field.add(name=name, number=number, label=_REPEATED if kind.startswith("*") else _OPTIONAL)
    kind = kind.removeprefix("*")
    if kind in _TYPES:
        added.type = _TYPES[kind]
    else:
        added.type = descriptor_pb2.FieldDescriptorProto.TYPE_MESSAGE
        added.type_name = f".{PACKAGE}.{kind}"
