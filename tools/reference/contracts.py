"""The contracts with their comments, as the compiler reads them from `protos/`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

from tools.generate import compile_contracts

Definition = DescriptorProto | EnumDescriptorProto | ServiceDescriptorProto
MESSAGES, ENUMS, SERVICES = 4, 5, 6
"""Field numbers in FileDescriptorProto: the first part of the path of a definition's comment."""
MEMBERS: Mapping[int, tuple[int, str]] = {MESSAGES: (2, "field"), ENUMS: (2, "value"), SERVICES: (2, "method")}
"""Field number and name of a definition's members, by kind of definition."""


@dataclass(frozen=True, slots=True)
class Documented:
    """A service, message or enum with its comments."""

    name: str
    """Its full name without "parley.", such as "gateway.v1.AskRequest"."""
    definition: Definition
    comment: str
    members: Sequence[tuple[Any, str]]
    """Its methods, fields or values in the order of the source, each with its comment."""


@dataclass(frozen=True, slots=True)
class Contracts:
    """All definitions by package and by name."""

    packages: Mapping[str, Sequence[Documented]]
    """By package without "parley.", such as "gateway.v1"; files with services first, and in each the services."""

    def named(self, name: str) -> Documented:
        """The definition of that full name without "parley."."""
        return next(each for each in self.packages[name.rpartition(".")[0]] if each.name == name)


def read_contracts() -> Contracts:
    """Compile the contracts with their comments."""
    packages: dict[str, list[Documented]] = {}
    for file in sorted(_files(), key=lambda file: not file.service):
        if file.package.startswith("parley."):
            packages.setdefault(file.package.removeprefix("parley."), []).extend(_documented(file))
    services_first = {
        name: sorted(symbols, key=lambda each: not _is_service(each)) for name, symbols in packages.items()
    }
    return Contracts(services_first)


def _is_service(each: Documented) -> bool:
    return isinstance(each.definition, ServiceDescriptorProto)


def _files() -> Sequence[FileDescriptorProto]:
    with TemporaryDirectory() as folder:
        target = Path(folder) / "contracts.binpb"
        compile_contracts(f"--descriptor_set_out={target}", "--include_source_info")
        return FileDescriptorSet.FromString(target.read_bytes()).file


def _documented(file: FileDescriptorProto) -> list[Documented]:
    """The definitions of a file, in the order of the source."""
    comments = {tuple(place.path): place.leading_comments for place in file.source_code_info.location}
    lines = {tuple(place.path): place.span[0] for place in file.source_code_info.location}
    package = file.package.removeprefix("parley.")
    symbols = [
        (lines[path], Documented(f"{package}.{each.name}", each, comments[path], _members(path, each, comments)))
        for path, each in _definitions(file)
    ]
    return [each for _, each in sorted(symbols, key=lambda pair: pair[0])]


def _definitions(file: FileDescriptorProto) -> Iterator[tuple[tuple[int, int], Definition]]:
    kinds: Mapping[int, Sequence[Definition]] = {
        MESSAGES: file.message_type,
        ENUMS: file.enum_type,
        SERVICES: file.service,
    }
    for kind, definitions in kinds.items():
        yield from (((kind, index), each) for index, each in enumerate(definitions))


def _members(
    path: tuple[int, int], definition: Definition, comments: Mapping[tuple[int, ...], str]
) -> Sequence[tuple[Any, str]]:
    number, attribute = MEMBERS[path[0]]
    members = getattr(definition, attribute)
    return [(member, comments.get((*path, number, index), "")) for index, member in enumerate(members)]


def is_map(field: FieldDescriptorProto, message: DescriptorProto) -> bool:
    """Whether a field is a map; the compiler makes it a list of messages that are declared inside its message."""
    entry = field.type_name.rpartition(".")[2]
    return any(nested_type.name == entry and nested_type.options.map_entry for nested_type in message.nested_type)
