"""The contracts with their comments, as the compiler reads them from `protos/`, as sections of Markdown."""

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
from tools.reference.markdown import code, listing, paragraphs, prose, table
from tools.reference.rules import rules_words

KINDS = ((4, "message_type", "field"), (5, "enum_type", "value"), (6, "service", "method"))  # descriptor.proto
"""A definition's field in FileDescriptorProto, by number and name, and the field of its members; their number is 2."""


@dataclass(frozen=True, slots=True)
class Documented:
    """A service, message or enum with its comments."""

    name: str
    """Its full name without "parley.", such as "gateway.v1.AskRequest"."""
    definition: Any
    comment: str
    members: Sequence[tuple[Any, str]]
    """Its methods, fields or values in the order of the source, each with its comment."""

    @property
    def is_service(self) -> bool:
        """Whether it is a service, not a message or an enum."""
        return isinstance(self.definition, ServiceDescriptorProto)


Contracts = Mapping[str, Documented]
"""All definitions by name; in each package the services come first, with the other definitions of their files."""


def read_contracts() -> Contracts:
    """Compile the contracts with their comments, by way of a temporary file; SystemExit if they do not compile."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / "contracts.binpb"
        compile_contracts(f"--descriptor_set_out={target}", "--include_source_info")
        files = FileDescriptorSet.FromString(target.read_bytes()).file
    ours = [file for file in files if file.package.startswith("parley.")]
    definitions = [each for file in sorted(ours, key=lambda file: not file.service) for each in _documented(file)]
    return {each.name: each for each in sorted(definitions, key=lambda each: not each.is_service)}


def _documented(file: FileDescriptorProto) -> list[Documented]:
    """The definitions of a file, in the order of the source."""
    comments = {tuple(place.path): place.leading_comments for place in file.source_code_info.location}
    lines = {tuple(place.path): place.span[0] for place in file.source_code_info.location}
    definitions: dict[int, Documented] = {}
    for kind, name, members_name in KINDS:
        for index, definition in enumerate(getattr(file, name)):
            path = (kind, index)
            full_name = f"{file.package.removeprefix('parley.')}.{definition.name}"
            members = enumerate(getattr(definition, members_name))
            documented_members = [(member, comments.get((*path, 2, place), "")) for place, member in members]
            definitions[lines[path]] = Documented(full_name, definition, comments[path], documented_members)
    return [definition for _, definition in sorted(definitions.items())]


def section(each: Documented) -> str:
    """A definition with heading, comment and table of its members."""
    return "\n\n".join(part for part in (f"### {each.name}", paragraphs(each.comment), *_body(each)) if part)


def _body(each: Documented) -> Iterator[str]:
    if isinstance(each.definition, DescriptorProto):
        yield from (_choices(each.definition), fields_table(each))
    elif isinstance(each.definition, EnumDescriptorProto):
        yield table(("Value", "Meaning"), [(code(value.name), prose(comment)) for value, comment in each.members])
    else:
        rows = [(code(method.name), *_types(method), prose(comment)) for method, comment in each.members]
        yield table(("RPC", "Request", "Response", "Meaning"), rows)


def _types(method: Any) -> tuple[str, str]:
    streams, types = (method.client_streaming, method.server_streaming), (method.input_type, method.output_type)
    request, response = (f"{'stream of ' if s else ''}{link(name)}" for s, name in zip(streams, types, strict=True))
    return request, response


def fields_table(each: Documented, at: str = "") -> str:
    """The fields of a message, with types, comments and rules. `at` is the page of the types, as for `link`."""
    rows = [
        (code(field.name), field_type(field, each.definition, at), _meaning(field, comment))
        for field, comment in each.members
    ]
    return table(("Field", "Type", "Meaning"), rows)


def _meaning(field: FieldDescriptorProto, comment: str) -> str:
    rules = rules_words(field)
    return f"{prose(comment)} *Rule: {rules}.*" if rules else prose(comment)


def _choices(message: DescriptorProto) -> str:
    """The fields of a message of which one at most is set."""
    names: dict[int, list[str]] = {}
    for field in message.field:
        if field.HasField("oneof_index") and not field.proto3_optional:
            names.setdefault(field.oneof_index, []).append(code(field.name))
    choices = ((message.oneof_decl[index].name, fields) for index, fields in names.items())
    return " ".join(f"{code(name)} is one of {listing(fields)}." for name, fields in choices)


def link(type_name: str, at: str = "") -> str:
    """A link to a definition of the contracts; of others the name alone. `at` is the page, empty for the same one."""
    package, _, name = type_name.lstrip(".").rpartition(".")
    if not package.startswith("parley."):
        return name
    full = f"{package.removeprefix('parley.')}.{name}"
    return f"[{name}]({at}#{full.replace('.', '').lower()})"


def field_type(field: FieldDescriptorProto, message: DescriptorProto, at: str = "") -> str:
    """The type of a field, with a link to it. The compiler makes a map a list of messages of a type of its own."""
    entry = field.type_name.rpartition(".")[2]
    if any(nested_type.name == entry and nested_type.options.map_entry for nested_type in message.nested_type):
        return "map of string to string"
    kind = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    name = link(field.type_name, at) if field.type_name else kind
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {name}"
    return f"optional {name}" if field.proto3_optional else name
