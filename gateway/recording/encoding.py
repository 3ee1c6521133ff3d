"""Encodes a turn's recorded calls for the store, and decodes them.

The stored form is zlib of `parley.gateway.v1.StoredRecording`; requests and responses are the contract's own messages.
"""

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import replace

from google.protobuf.message import Message

from gateway.recording.canonical import canonical_bytes
from gateway.recording.recorder import CallRecord
from gateway.recording.recordings import RecordedCall, Recording, StoredCall
from libs.contracts.usage import Stage
from libs.contracts.wire.codec import from_message, to_message
from libs.contracts.wire.methods import codec_of
from parley.gateway.v1 import recording_pb2


def encode(recording: Recording, calls: Sequence[CallRecord], most_bytes: int) -> bytes:
    """Encode the calls of a turn.

    Args:
        recording: the recording without its calls.
        calls: the calls in the order in which they began.
        most_bytes: limit on the size of all requests and responses before compression; a call that would exceed it is
            left out and counted in `omitted`.
    """
    entries, size = [], 0
    for number, call in enumerate(calls, start=1):
        entry = _stored_call(number, call)
        entry_size = len(entry.request) + sum(map(len, entry.responses))
        if size + entry_size <= most_bytes:
            entries.append(entry)
            size += entry_size
    whole = replace(recording, calls=tuple(entries), omitted=len(calls) - len(entries))
    return zlib.compress(to_message(whole, recording_pb2.StoredRecording).SerializeToString(), level=1)


def decode(parts: Sequence[bytes]) -> Recording:
    """Return the recording of a turn from its parts, at least one; calls are numbered through all parts."""
    recordings = [_decode(part) for part in parts]
    entries = [entry for recording in recordings for entry in recording.calls]
    calls = [replace(item, call=replace(item.call, number=number)) for number, item in enumerate(entries, start=1)]
    omitted = sum(recording.omitted for recording in recordings)
    return replace(recordings[0], calls=tuple(calls), omitted=omitted)


def _decode(content: bytes) -> Recording:
    return from_message(recording_pb2.StoredRecording.FromString(zlib.decompress(content)), Recording)


def _stored_call(number: int, call: CallRecord) -> StoredCall:
    codec = codec_of(call.method)
    request = codec.request_to_message(call.request).SerializeToString(deterministic=True)
    responses: list[Message] = [codec.to_message(step) for step in call.steps]
    summary = RecordedCall(
        number=number,
        stage=Stage(call.method.stage.upper()),
        method=call.method.rpc,
        started_at=call.started_at,
        milliseconds=call.milliseconds,
        end=call.end,
        reason=call.reason,
        request_hash=hashlib.sha256(request).hexdigest(),
        response_hash=hashlib.sha256(canonical_bytes(responses)).hexdigest(),
    )
    return StoredCall(summary, request, tuple(response.SerializeToString() for response in responses))
