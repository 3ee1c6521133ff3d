"""The messages of a stage's RPC, and how its values become messages and back, by codecs made once in a process."""

from functools import cache
from importlib import import_module
from typing import Any, Final

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from libs.contracts.methods import AnyMethod, StreamMethod
from libs.contracts.wire.codec import from_message, message_with, to_message

STEP: Final = "step"
"""The oneof of a streamed response that holds its steps."""


def service_descriptor(name: str) -> ServiceDescriptor:
    """Return the descriptor of `parley.<area>.v1.<Service>`, importing the generated code of its package."""
    package = name.rpartition(".")[0]
    import_module(f"{package}.{package.split('.')[1]}_pb2")
    return descriptor_pool.Default().FindServiceByName(name)


class MethodCodec:
    """Converts the requests and responses of one RPC."""

    def __init__(self, method: AnyMethod) -> None:
        rpc = service_descriptor(method.service).methods_by_name[method.rpc]
        self._method = method
        self.request_message: type[Message] = message_factory.GetMessageClass(rpc.input_type)
        self.response_message: type[Message] = message_factory.GetMessageClass(rpc.output_type)
        fields = method.steps if isinstance(method, StreamMethod) else {}
        self._types = {name: step_type for step_type, name in fields.items()}

    def request_to_message(self, request: object) -> Message:
        """Convert a request."""
        return to_message(request, self.request_message)

    def to_message(self, response: object) -> Message:
        """Convert a response, or a step of a stream."""
        if isinstance(self._method, StreamMethod):
            return message_with(self.response_message, self._method.steps[type(response)], response)
        return to_message(response, self.response_message)

    def from_message(self, message: Any) -> Any:
        """Convert a message back; None if it holds a step that is not known here.

        Raises:
            MalformedMessage: see `libs.contracts.wire.codec.from_message`.
        """
        if not isinstance(self._method, StreamMethod):
            return from_message(message, self._method.response)
        field = message.WhichOneof(STEP)
        return from_message(getattr(message, field), self._types[field]) if field in self._types else None


@cache
def codec_of(method: AnyMethod) -> MethodCodec:
    """Return the codec of an RPC."""
    return MethodCodec(method)
