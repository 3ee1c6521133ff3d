"""Messages, enums and services as sections of Markdown."""

from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto

from tools.reference.contracts import Documented, is_map
from tools.reference.markdown import code, listing, paragraphs, prose, table
from tools.reference.rules import rules_words


def section(each: Documented) -> str:
    """A definition with heading, comment and table of its members."""
    return "\n\n".join(part for part in (f"### {each.name}", paragraphs(each.comment), *_body(each)) if part)


def _body(each: Documented) -> list[str]:
    if isinstance(each.definition, DescriptorProto):
        return [_choices(each.definition), fields_table(each)]
    if isinstance(each.definition, EnumDescriptorProto):
        return [table(("Value", "Meaning"), [(code(value.name), prose(comment)) for value, comment in each.members])]
    rows = [
        (code(method.name), _request(method), _response(method), prose(comment)) for method, comment in each.members
    ]
    return [table(("RPC", "Request", "Response", "Meaning"), rows)]


def fields_table(each: Documented, at: str = "") -> str:
    """The fields of a message, with types, comments and rules. `at` is the page of the types, as for `link`."""
    message: Any = each.definition
    rows = [
        (code(field.name), field_type(field, message, at), _meaning(field, comment)) for field, comment in each.members
    ]
    return table(("Field", "Type", "Meaning"), rows)


def _choices(message: DescriptorProto) -> str:
    """The fields of a message of which one at most is set."""
    choices = []
    for index, choice in enumerate(message.oneof_decl):
        names = [
            code(field.name)
            for field in message.field
            if field.HasField("oneof_index") and field.oneof_index == index and not field.proto3_optional
        ]
        if names:
            choices.append(f"{code(choice.name)} is one of {listing(names)}.")
    return " ".join(choices)


def _meaning(field: FieldDescriptorProto, comment: str) -> str:
    rules = rules_words(field)
    return f"{prose(comment)} *Rule: {rules}.*" if rules else prose(comment)


def link(type_name: str, at: str = "") -> str:
    """A link to a definition of the contracts; of others the name alone. `at` is the page, empty for the same one."""
    package, _, name = type_name.lstrip(".").rpartition(".")
    if not package.startswith("parley."):
        return name
    full = f"{package.removeprefix('parley.')}.{name}"
    return f"[{name}]({at}#{full.replace('.', '').lower()})"


def field_type(field: FieldDescriptorProto, message: DescriptorProto, at: str = "") -> str:
    """The type of a field, with a link to it."""
    if is_map(field, message):
        return "map of string to string"
    kind = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    name = link(field.type_name, at) if field.type_name else kind
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {name}"
    return f"optional {name}" if field.proto3_optional else name


def _request(method: Any) -> str:
    return f"{'stream of ' if method.client_streaming else ''}{link(method.input_type)}"


def _response(method: Any) -> str:
    return f"{'stream of ' if method.server_streaming else ''}{link(method.output_type)}"
