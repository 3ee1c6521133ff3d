"""Encodes stage calls with the contract's own messages, for the event log."""

import hashlib
from dataclasses import replace
from typing import Any, Final

from libs.contracts.conversation import ConversationView
from libs.contracts.methods import AnyMethod
from libs.contracts.options import Budget, Setting
from libs.contracts.stages.answer import WriteRequest
from libs.contracts.stages.decompose import CondenseInStepsRequest
from libs.contracts.stages.intent import UnderstandRequest
from libs.contracts.stages.retrieve import DetectRangeRequest
from libs.contracts.usage import Progress
from libs.contracts.wire.framing import join, split
from libs.contracts.wire.methods import codec_of

_NO_VIEW: Final = ConversationView()
KEY_BYTES: Final = 12
"""Length of a request's hash; a turn has some ten calls."""


def _essence(request: object) -> object:
    """Return the request without what is the same in all calls of a turn, or differs from run to run."""
    if isinstance(request, WriteRequest):
        return replace(request, view=_NO_VIEW, budget=Budget())
    if isinstance(request, UnderstandRequest):
        return replace(request, view=_NO_VIEW, setting=Setting())
    if isinstance(request, DetectRangeRequest):
        return replace(request, now=None)
    if isinstance(request, CondenseInStepsRequest):
        return replace(request, condense=replace(request.condense, view=_NO_VIEW))
    return request


class StageCallCodec:
    """A CallCodec over the contract's messages."""

    def key(self, method: AnyMethod, request: object) -> str:
        """See CallCodec."""
        message = codec_of(method).request_to_message(_essence(request))
        content = message.SerializeToString(deterministic=True)
        return f"{method.task}-{hashlib.blake2b(content, digest_size=KEY_BYTES).hexdigest()}"

    def to_bytes(self, method: AnyMethod, steps: list[Any]) -> bytes:
        """See CallCodec. Reports of progress are left out."""
        codec = codec_of(method)
        messages = [codec.to_message(step) for step in steps if not isinstance(step, Progress)]
        return join([message.SerializeToString() for message in messages])

    def from_bytes(self, method: AnyMethod, content: bytes) -> list[Any]:
        """See CallCodec."""
        codec = codec_of(method)
        return [codec.from_message(codec.response_message.FromString(part)) for part in split(content)]
