"""Server reflection, v1 and v1alpha by one servicer: tools list, describe and call services without proto files.

The Python library supports v1alpha only; v1's messages are the same on the wire, so v1alpha's classes serve both. The
pool also gets v1's descriptor, which clients request when they describe the reflection service itself.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, text_format
from grpc_reflection.v1alpha import reflection, reflection_pb2

from libs.runtime.serving.service import Service

ALPHA: Final = "grpc.reflection.v1alpha"
STABLE: Final = "grpc.reflection.v1"
SERVICES: Final = (f"{STABLE}.ServerReflection", f"{ALPHA}.ServerReflection")
_STABLE_FILE: Final = "grpc/reflection/v1/reflection.proto"


class ReflectionServicer(reflection.aio.ReflectionServicer):  # type: ignore[misc]  # untyped
    """Finds a method, too, which the pool knows by its service only."""

    def _file_containing_symbol(self, request: Any, fully_qualified_name: str) -> Any:
        with suppress(KeyError):
            method = descriptor_pool.Default().FindMethodByName(fully_qualified_name)
            fully_qualified_name = method.containing_service.full_name
        return super()._file_containing_symbol(request, fully_qualified_name)


def reflection_services(services: Sequence[str]) -> list[Service]:
    """The two reflection services; they tell of themselves and of `services` (full names)."""
    _put_stable_descriptor()
    servicer = ReflectionServicer((*services, *SERVICES))
    return [Service(name, servicer, contract=f"{ALPHA}.ServerReflection") for name in SERVICES]


def _put_stable_descriptor() -> None:
    """Add v1's descriptor to the pool, made from v1alpha's by renaming the package."""
    pool = descriptor_pool.Default()
    try:
        pool.FindFileByName(_STABLE_FILE)
    except KeyError:
        alpha = descriptor_pb2.FileDescriptorProto.FromString(reflection_pb2.DESCRIPTOR.serialized_pb)
        text = text_format.MessageToString(alpha).replace(ALPHA, STABLE)
        stable = text_format.Parse(text, descriptor_pb2.FileDescriptorProto())
        stable.name = _STABLE_FILE
        pool.AddSerializedFile(stable.SerializeToString())
