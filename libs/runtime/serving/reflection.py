"""Server reflection, v1 and v1alpha by one servicer: tools list, describe and call services without proto files.

The Python library supports v1alpha only; v1's messages are the same on the wire, so v1alpha's classes serve both. The
pool also gets v1's descriptor, which clients request when they describe the reflection service itself.
"""
# ruff: noqa: N802 - gRPC method names

from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from typing import Any, Final

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import FileDescriptor
from grpc_reflection.v1alpha import reflection_pb2

ALPHA: Final = "grpc.reflection.v1alpha"
STABLE: Final = "grpc.reflection.v1"
SERVICES: Final = (f"{STABLE}.ServerReflection", f"{ALPHA}.ServerReflection")
_STABLE_FILE: Final = "grpc/reflection/v1/reflection.proto"


class ReflectionServicer:
    """Answers from the descriptor pool that the generated code fills.

    Args:
        services: full names to list.
    """

    def __init__(self, services: Sequence[str]) -> None:
        self._services = sorted(services)
        self._pool = descriptor_pool.Default()
        self._answers: dict[str, Callable[[Any], dict[str, Any]]] = {
            "list_services": lambda _: {"list_services_response": self._list()},
            "file_by_filename": lambda name: _files(self._pool.FindFileByName(name)),
            "file_containing_symbol": lambda symbol: _files(self._file_of(symbol)),
            "file_containing_extension": lambda extension: _files(self._file_of_extension(extension)),
            "all_extension_numbers_of_type": lambda name: {"all_extension_numbers_response": self._extensions(name)},
        }

    async def ServerReflectionInfo(self, requests: AsyncIterable[Any], context: Any) -> AsyncIterator[Any]:
        async for request in requests:
            yield reflection_pb2.ServerReflectionResponse(
                valid_host=request.host, original_request=request, **self._answer(request)
            )

    def _answer(self, request: Any) -> dict[str, Any]:
        field = request.WhichOneof("message_request")
        if field is None:
            return _error(grpc.StatusCode.INVALID_ARGUMENT, "the request is empty")
        try:
            return self._answers[field](getattr(request, field))
        except KeyError:
            return _error(grpc.StatusCode.NOT_FOUND, "not found")

    def _list(self) -> Any:
        services = [reflection_pb2.ServiceResponse(name=name) for name in self._services]
        return reflection_pb2.ListServiceResponse(service=services)

    def _file_of(self, symbol: str) -> FileDescriptor:
        """The file that defines a symbol; a method, field, oneof or enum value is found by its parent's name."""
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            parent, _, name = symbol.rpartition(".")
            if not _has_member(self._pool, parent, name):
                raise
            return self._pool.FindFileContainingSymbol(parent)

    def _file_of_extension(self, extension: Any) -> FileDescriptor:
        message = self._pool.FindMessageTypeByName(extension.containing_type)
        descriptor = self._pool.FindExtensionByNumber(message, extension.extension_number)
        return self._pool.FindFileContainingSymbol(descriptor.full_name)

    def _extensions(self, name: str) -> Any:
        extensions = self._pool.FindAllExtensions(self._pool.FindMessageTypeByName(name))
        numbers = sorted(extension.number for extension in extensions)
        return reflection_pb2.ExtensionNumberResponse(base_type_name=name, extension_number=numbers)


def add_reflection(server: grpc.aio.Server, services: Sequence[str]) -> None:
    """Serve reflection on `server` for `services` (full names); the two reflection services are listed as well."""
    _put_stable_descriptor(descriptor_pool.Default())
    servicer = ReflectionServicer((*services, *SERVICES))
    handler = grpc.stream_stream_rpc_method_handler(
        servicer.ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    for service in SERVICES:
        handlers = grpc.method_handlers_generic_handler(service, {"ServerReflectionInfo": handler})
        server.add_generic_rpc_handlers((handlers,))


def _put_stable_descriptor(pool: descriptor_pool.DescriptorPool) -> None:
    """Add v1's descriptor to the pool, made from v1alpha's by renaming the package."""
    try:
        pool.FindFileByName(_STABLE_FILE)
    except KeyError:
        file = descriptor_pb2.FileDescriptorProto.FromString(reflection_pb2.DESCRIPTOR.serialized_pb)
        file.name, file.package = _STABLE_FILE, STABLE
        for field in (f for message in file.message_type for f in message.field if f.type_name):
            field.type_name = _alpha_to_stable(field.type_name)
        for method in (m for service in file.service for m in service.method):
            method.input_type, method.output_type = (
                _alpha_to_stable(method.input_type),
                _alpha_to_stable(method.output_type),
            )
        pool.AddSerializedFile(file.SerializeToString())


def _alpha_to_stable(type_name: str) -> str:
    return type_name.replace(f".{ALPHA}.", f".{STABLE}.")


def _has_member(pool: descriptor_pool.DescriptorPool, parent: str, name: str) -> bool:
    try:
        return name in pool.FindServiceByName(parent).methods_by_name
    except KeyError:
        pass
    try:
        message = pool.FindMessageTypeByName(parent)
    except KeyError:
        return name in pool.FindEnumTypeByName(parent).values_by_name
    return name in message.fields_by_name or name in message.oneofs_by_name


def _files(file: FileDescriptor) -> dict[str, Any]:
    """A file with all its imports, so that a client needs only one request."""
    files: dict[str, FileDescriptor] = {}
    _collect(file, files)
    contents = [f.serialized_pb for f in files.values()]
    return {"file_descriptor_response": reflection_pb2.FileDescriptorResponse(file_descriptor_proto=contents)}


def _collect(file: FileDescriptor, files: dict[str, FileDescriptor]) -> None:
    files[file.name] = file
    for dependency in file.dependencies:
        if dependency.name not in files:
            _collect(dependency, files)


def _error(code: grpc.StatusCode, message: str) -> dict[str, Any]:
    return {"error_response": reflection_pb2.ErrorResponse(error_code=code.value[0], error_message=message)}
